import { readClaim } from "./arithmetic/claim.ts";
import { functionsIn } from "./arithmetic/functions.ts";
import { isDoubtful, search } from "./arithmetic/search.ts";
import type { Probe } from "./offline-probe.ts";

const NUMBERS = /-?\b\d{1,15}\b/g;
const NUMBERS_AT_MOST = 10;
const SURE = 0.99;
/** Of a counterexample below zero, where the claim may mean counting numbers only. */
const DOUBTFUL = 0.7;
/** Of a claim about all that survives: many tries say something, none say nothing, and no number of them proves it. */
const SURVIVED: readonly (readonly [tries: number, confidence: number])[] = [
  [1_000, 0.7],
  [100, 0.6],
  [10, 0.4],
  [1, 0.2],
];
const UNTOLD = 0.1;

/** Reads a claim as arithmetic and tries it on small values, edges and the numbers that it names. */
export function probeArithmetic(claim: string, code: string): Probe | undefined {
  const functions = functionsIn(code);
  const read = readClaim(claim, functions);
  if (read === undefined) return undefined;
  const near = [...new Set((claim.match(NUMBERS) ?? []).slice(0, NUMBERS_AT_MOST).map(Number))];
  const result = search(read, near);
  if (result === undefined) return undefined;
  const { found, tried, untold } = result;
  const told = tried - untold;
  const names = read.variables.map(({ name }) => name).join(", ");
  const what =
    names === ""
      ? "Calculated the claim"
      : `Calculated the claim for ${tried} ${tried === 1 ? "value" : "values"} of ${names}, the smallest first`;
  const left = untold === 0 ? "" : ` ${untold} of them were too large or have no value.`;
  if (read.kind === "some") {
    return found === undefined
      ? {
          attempts: [`${what}: none was found for which it holds, which refutes nothing.${left}`],
          confidence: UNTOLD,
        }
      : { attempts: [`${what}: it holds for ${shown(found)}.`], confidence: SURE };
  }
  if (found !== undefined) {
    const doubtful = read.variables.some((variable) =>
      isDoubtful(variable, found.values.get(variable.name) ?? 0),
    );
    const counterexample = `${shown(found)}${doubtful ? " (if numbers below zero count)" : ""}`;
    return {
      attempts: [`${what}: it fails for ${counterexample}.${left}`],
      counterexample,
      confidence: doubtful ? DOUBTFUL : SURE,
    };
  }
  const confidence =
    names === "" && told > 0 ? SURE : (SURVIVED.find(([tries]) => told >= tries)?.[1] ?? UNTOLD);
  return {
    attempts: [
      `${what}: it holds${names === "" ? "" : ` for ${told === tried ? "all of them" : `${told} of them`}`}.${left}`,
    ],
    confidence,
  };
}

function shown({ values, detail }: { values: ReadonlyMap<string, number>; detail: string }): string {
  const assignment = [...values].map(([name, value]) => `${name} = ${value}`).join(", ");
  return [assignment, detail].filter(Boolean).join(": ");
}
