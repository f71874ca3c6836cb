import { OpenRedaction } from "@openredaction/core";
import { lintSource } from "@secretlint/core";
import { creator as recommended } from "@secretlint/secretlint-rule-preset-recommend";
import { KINDS, type Kind } from "../src/features/safety-scrub/kinds.ts";
import { findSecrets, scrub } from "../src/features/safety-scrub/scrub.ts";
import { type Sample, scrubCorpus } from "../test/support/scrub-corpus.ts";

/**
 * Precision and recall of the scrubber beside a secret scanner and a library for personal data, on the corpus of
 * `fixtures/scrub`: node bench/scrub.ts. A secret counts as found when a finding covers any of it; a finding that
 * touches none is false. The corpus is ours and its keys are random bytes: a peer that looks into a key's structure
 * (secretlint does) finds none there, and a corpus of others would rank us lower than this one.
 */

type Range = readonly [start: number, end: number];
type Finder = { readonly name: string; readonly find: (text: string) => Range[] | Promise<Range[]> };
type Score = {
  readonly found: Record<Kind, number>;
  readonly right: number;
  readonly wrong: number;
  readonly ms: number;
};

const MEBIBYTE = 1_048_576;
const TRIES = 5;

/** What openredaction finds besides our kinds; it counts neither for it nor against it. */
const OTHER_TYPES =
  /USERNAME|GAMERTAG|PSN_|IBAN|CLABE|IPV|MAC_ADDRESS|ORDER|TRACKING|TAIL|_CERT_|ARN|DATE|MANDATE|PRODUCTION|CARD_AUTH/;

const redaction = new OpenRedaction({
  includeNames: false,
  includeAddresses: false,
  includePhones: false,
  includeEmails: false,
});
const rules = { rules: [{ id: "recommended", rule: recommended, options: {} }] };

const finders: readonly Finder[] = [
  { name: "safety-scrub", find: (text) => findSecrets(text).map(({ start, end }) => [start, end] as const) },
  {
    name: "secretlint",
    find: async (text) => {
      const source = { filePath: "corpus.txt", content: text, contentType: "text" as const };
      const { messages } = await lintSource({ source, options: { config: rules, noPhysicFilePath: true } });
      return messages.map(({ range }) => [range[0], range[1]] as const);
    },
  },
  {
    name: "openredaction",
    find: async (text) => {
      const { detections } = await redaction.detect(text);
      return detections.filter(({ type }) => !OTHER_TYPES.test(type)).map(({ position }) => position);
    },
  },
];

const samples = [...scrubCorpus("true"), ...scrubCorpus("near-miss")];
const secrets = samples.flatMap((sample) => sample.secrets);
const total = (kind: Kind): number => secrets.filter((secret) => secret.kind === kind).length;

console.log(`${samples.length} texts, ${secrets.length} secrets; recall by kind, then over all\n`);
console.log(row(["", ...KINDS, "recall", "precision", "ms"]));
console.log(row(["secrets", ...KINDS.map((kind) => String(total(kind))), String(secrets.length), "", ""]));
for (const finder of finders) {
  const { found, right, wrong, ms } = await scoreOf(finder);
  const recalled = KINDS.reduce((sum, kind) => sum + found[kind], 0);
  console.log(
    row([
      finder.name,
      ...KINDS.map((kind) => percent(found[kind], total(kind))),
      percent(recalled, secrets.length),
      percent(right, right + wrong),
      ms.toFixed(0),
    ]),
  );
}

console.log(`\nslowest texts of 1 MiB (safety-scrub, the processor's time, best of ${TRIES})\n`);
const hostile = [
  "4111 ",
  "2341 2341 2346 ",
  "sk-",
  "a-",
  "Bearer a1b2c3d4e5f6g7h8i9 ",
  "-----END PRIVATE KEY-----",
  "eyJ-",
  "plain prose, ",
];
for (const unit of hostile) console.log(row([JSON.stringify(unit), `${fastest(unit).toFixed(0)} ms`]));

async function scoreOf({ find }: Finder): Promise<Score> {
  const found: Record<Kind, number> = { card: 0, national_id: 0, api_key: 0, jwt: 0, private_key: 0 };
  let right = 0;
  let wrong = 0;
  await find("warm up");
  const start = performance.now();
  for (const sample of samples) {
    const ranges = await find(sample.text);
    for (const { kind } of sample.secrets.filter((secret) => ranges.some((range) => meet(range, secret))))
      found[kind]++;
    const hits = ranges.filter((range) => sample.secrets.some((secret) => meet(range, secret))).length;
    right += hits;
    wrong += ranges.length - hits;
  }
  return { found, right, wrong, ms: performance.now() - start };
}

function meet([start, end]: Range, secret: Sample["secrets"][number]): boolean {
  return start < secret.end && secret.start < end;
}

function fastest(unit: string): number {
  const text = Buffer.from(unit.repeat(Math.ceil(MEBIBYTE / unit.length))).toString("utf8");
  const times = Array.from({ length: TRIES }, () => {
    const start = process.cpuUsage();
    scrub(text);
    return process.cpuUsage(start).user / 1_000;
  });
  return Math.min(...times);
}

function percent(part: number, whole: number): string {
  return whole === 0 ? "-" : `${((100 * part) / whole).toFixed(1)} %`;
}

function row([first = "", ...rest]: readonly string[]): string {
  return first.padEnd(30) + rest.map((cell) => cell.padStart(13)).join("");
}
