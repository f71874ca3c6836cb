import { z } from "zod";
import { defineOffline } from "../../core/models/offline.ts";
import { keyPhrases } from "../../offline/text/key-phrases.ts";
import { probeArithmetic } from "./offline-arithmetic.ts";
import { probeCode } from "./offline-code.ts";
import { probeExamples } from "./offline-examples.ts";

const request = z.object({ claim: z.string(), code: z.string().default("") });

/** Nothing of the claim could be tried. */
const UNTRIED = 0.1;
const SUBJECTS = 3;
const SWEEPING =
  /\b(?:all|always|never|every|everyone|nobody|none|no|any|impossible|guaranteed|must|only)\b/i;

/** Tries what can be tried without understanding: calculating, going through listed examples, reading code by rules. */
export default defineOffline(({ data }) => {
  const { claim, code } = request.parse(data);
  const probes = [probeArithmetic(claim, code), probeExamples(claim), probeCode(claim, code)].filter(
    (probe) => probe !== undefined,
  );
  const refuting = probes.find(({ counterexample }) => counterexample !== undefined);
  return {
    refuted: refuting !== undefined,
    counterexample: refuting?.counterexample ?? null,
    attempts: [
      ...probes.flatMap(({ attempts }) => attempts),
      ...(refuting === undefined ? leftOpen(claim, code, probes.length) : []),
    ],
    confidence: refuting?.confidence ?? Math.max(UNTRIED, ...probes.map(({ confidence }) => confidence)),
  };
});

/** What was not tried, so that nobody takes silence for a proof. */
function leftOpen(claim: string, code: string, tried: number): string[] {
  if (tried > 0) return ["Found no counterexample; that is no proof."];
  const subjects = keyPhrases(claim, SUBJECTS)
    .map(({ phrase }) => phrase)
    .join(", ");
  return [
    "Tried to read the claim as arithmetic: it is no formula that can be calculated.",
    "Looked for listed examples to go through: there are none that can be checked by their form.",
    code.trim() === ""
      ? "Could not look at code: none was given."
      : "Looked for a rule of code that the claim is about: none fits.",
    ...(SWEEPING.test(claim)
      ? [
          `Not tried: the claim is sweeping, so one exception${subjects === "" ? "" : ` about ${subjects}`} refutes it; finding one needs knowledge of the matter.`,
        ]
      : []),
  ];
}
