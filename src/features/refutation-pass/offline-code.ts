import { cutCodePoints } from "../../core/catalog/input.ts";
import type { Probe } from "./offline-probe.ts";

/** A kind of claim about code, and the code that contradicts it. */
type Rule = {
  readonly claims: RegExp;
  readonly contradictedBy: RegExp;
  readonly says: string;
  readonly confidence: number;
};

const SHOWN_CHARS = 200;
/** What stands behind it in a line is not looked at. */
const LINE_CHARS = 1_000;
/** That no rule found anything says little about the code. */
const NOTHING_FOUND = 0.2;

/** What plainly contradicts is surer than what does so in some cases only. */
const RULES: readonly Rule[] = [
  {
    claims:
      /\b(?:never|not|no|cannot|can't|doesn't|always) (?:ever )?(?:return|give|yield|be)?s? ?(?:a )?(?:null|none|undefined|nil|non-null)\b|\bnon-?null\b/i,
    contradictedBy:
      /\breturn\s*(?:null|undefined|None|nil)?\s*(?:;|$)|(?:\?\?|\|\||:) ?(?:null|undefined|None)\b/,
    says: "returns no value there",
    confidence: 0.95,
  },
  {
    claims:
      /\b(?:never|not|no|cannot|can't|doesn't) (?:ever )?(?:return|give|yield|be)?s? ?(?:null|none|undefined|nil)\b|\bnon-?null\b/i,
    contradictedBy: /\.(?:find|match|exec|get|getElementById|querySelector)\(/,
    says: "gives no value when nothing is found",
    confidence: 0.6,
  },
  {
    claims:
      /\b(?:never|not|no|cannot|can't|doesn't|without) (?:ever )?(?:throw|rais|fail|crash|error|panic|exception)/i,
    contradictedBy: /^\s*(?:throw|raise)\b|\bpanic!?\(|\bassert\b|\.unwrap\(\)/,
    says: "ends with an error there",
    confidence: 0.9,
  },
  {
    claims:
      /\b(?:never|not|no|cannot|can't|doesn't|without) (?:ever )?(?:throw|rais|fail|crash|error|panic|exception)/i,
    contradictedBy: /JSON\.parse\(|\bnew URL\(|\bBigInt\(|\bint\(|\bfloat\(|decodeURIComponent\(/,
    says: "throws for an input that it cannot read",
    confidence: 0.7,
  },
  {
    claims: /\b(?:deterministic|same (?:result|output|answer)|pure|reproducible|idempotent)\b/i,
    contradictedBy:
      /Math\.random|Date\.now|new Date\(\)|\brandom\.|uuid|datetime\.now|time\.time|performance\.now|\brand\(/i,
    says: "depends on chance or the time",
    confidence: 0.9,
  },
  {
    claims:
      /\b(?:pure|no side.?effects?|side.?effect.?free|(?:never|not) (?:mutat|modif|chang)\w*|immutable|idempotent)\b/i,
    contradictedBy:
      /\.(?:push|pop|shift|unshift|splice|sort|reverse|append|extend|insert|remove)\(|\b\w+(?:\.\w+|\[[^\]]{1,60}\]) ?(?:[-+*/]?=)[^=]|console\.\w+\(|\bprint\(/,
    says: "changes something outside or an argument",
    confidence: 0.8,
  },
  {
    claims: /\b(?:no|never|not|without) .{0,30}(?:network|i\/o|file|disk)\b/i,
    contradictedBy:
      /\bfetch\(|axios|requests\.|https?\.(?:get|request)|\bopen\(|fs\.|readFile|writeFile|urlopen/,
    says: "reads or writes outside the program",
    confidence: 0.9,
  },
  {
    claims: /\b(?:always )?(?:positive|non-?negative|never negative|not negative)\b/i,
    contradictedBy: /\breturn\s+-\d/,
    says: "returns a negative number",
    confidence: 0.9,
  },
  {
    claims: /\b(?:always )?(?:positive|non-?zero|never zero)\b/i,
    contradictedBy: /\breturn\s+0\s*(?:;|$)/,
    says: "returns zero",
    confidence: 0.9,
  },
  {
    claims: /\balways (?:returns? )?true\b|\bnever (?:returns? )?false\b/i,
    contradictedBy: /\breturn\s+(?:false|False)\b/,
    says: "returns false",
    confidence: 0.95,
  },
  {
    claims: /\balways (?:returns? )?false\b|\bnever (?:returns? )?true\b/i,
    contradictedBy: /\breturn\s+(?:true|True)\b/,
    says: "returns true",
    confidence: 0.95,
  },
  {
    claims: /\b(?:terminat|halts|always ends|finishes|never (?:loops|hangs))/i,
    contradictedBy: /\bwhile ?\(?(?:true|True|1)\)?|\bfor ?\(;;\)|\bloop \{/,
    says: "goes round without a bound",
    confidence: 0.5,
  },
  {
    claims: /\b(?:empty|any (?:array|list|string|input)|all (?:arrays|lists|inputs))\b/i,
    contradictedBy:
      /\w\[0\]\.\w|\w\[-1\]|\.reduce\([^,()]{0,80}=>[^,()]{0,80}\)|\bmax\(\w+\)|\bmin\(\w+\)|\/ ?(?:len\(\w+\)|\w+\.length)/,
    says: "has nothing to work on when the input is empty",
    confidence: 0.7,
  },
  {
    claims: /\b(?:safe|secure|sanitiz|sanitis|escap|injection)/i,
    contradictedBy:
      /\beval\(|innerHTML\s*=|\bexec\(|shell ?= ?True|(?:SELECT|INSERT|UPDATE|DELETE)\b[^;\n]{0,200}(?:\$\{|" ?\+|' ?\+|%s" ?%)/,
    says: "puts a text where it is executed",
    confidence: 0.8,
  },
  {
    claims: /\b(?:exact|precise|no rounding|cents|money|accurate)/i,
    contradictedBy: /parseFloat\(|\bfloat\(|\* ?0\.\d|\/ ?100\b|toFixed\(/,
    says: "calculates in floating point, which rounds",
    confidence: 0.6,
  },
];
const COMMENT = /^\s*(?:\/\/|#|\*|\/\*)/;

/** Looks through code for lines that contradict what a claim says of it. Nothing is executed. */
export function probeCode(claim: string, code: string): Probe | undefined {
  if (code.trim() === "") return undefined;
  const fitting = RULES.filter(({ claims }) => claims.test(claim));
  if (fitting.length === 0) return undefined;
  const lines = code
    .split("\n")
    .map((line) => line.slice(0, LINE_CHARS))
    .filter((line) => !COMMENT.test(line));
  for (const { contradictedBy, says, confidence } of fitting) {
    const line = lines.find((text) => contradictedBy.test(text));
    if (line === undefined) continue;
    const shown = cutCodePoints(line.trim(), SHOWN_CHARS);
    return {
      attempts: [
        `Looked through ${lines.length} lines of code for ${fitting.length} kinds of contradiction: \`${shown}\` ${says}.`,
      ],
      counterexample: `A run that reaches \`${shown}\`: it ${says}.`,
      confidence,
    };
  }
  const looked = fitting.map(({ says }) => `code that ${says}`).join("; ");
  return {
    attempts: [`Looked through ${lines.length} lines of code for ${looked}: found none.`],
    confidence: NOTHING_FOUND,
  };
}
