import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readMail } from "../../../src/features/mail-triage/mail.ts";
import mailTriage from "../../../src/features/mail-triage/index.ts";
import { triage } from "../../../src/features/mail-triage/triage.ts";
import { parseInput } from "../../../src/core/catalog/input.ts";

type Case = { name: string; lane: "red" | "blue"; rule: string; input: Record<string, unknown> };

const cases = JSON.parse(
  readFileSync(new URL("../../../fixtures/mail/triage.json", import.meta.url), "utf8"),
) as Case[];
const triageOf = async (input: Record<string, unknown>): Promise<ReturnType<typeof triage>> =>
  triage(await readMail(parseInput(mailTriage, input)));

describe("every fixture mail is put into its lane by its rule", () => {
  it.each(cases)("$lane, $rule: $name", async ({ lane, rule, input }) => {
    expect(await triageOf(input)).toMatchObject({ lane, rule, waiting: lane === "red" });
  });
});

it("the corpus is large enough to say something, and its lane accuracy is printed", async () => {
  const results = await Promise.all(
    cases.map(async (mail) => (await triageOf(mail.input)).lane === mail.lane),
  );
  const right = results.filter(Boolean).length;
  console.log(`mail-triage: ${right} of ${cases.length} fixture mails in their lane`);
  expect(cases.length).toBeGreaterThanOrEqual(60);
  expect(right).toBe(cases.length);
});
