import fc from "fast-check";
import { describe, expect, it } from "vitest";
import handler from "../../../src/features/mail-triage/handler.ts";
import mailTriage from "../../../src/features/mail-triage/index.ts";
import { RULES } from "../../../src/features/mail-triage/rules.ts";
import { parseInput } from "../../../src/core/catalog/input.ts";
import { testedCapability } from "../../support/capability.ts";
import { matches } from "../../../src/core/catalog/vectors.ts";
import { handlerContext } from "../../support/handler-context.ts";
import { cpuMs } from "../../support/cpu-time.ts";

const { vectors } = await testedCapability("mail-triage");
const context = handlerContext();
const answer = async (body: Record<string, unknown>) =>
  mailTriage.output.parse(await handler(mailTriage.input.parse(parseInput(mailTriage, body)), context));

const LARGEST = 1_000_000;

describe("the contract", () => {
  it.each(vectors)("holds for the golden vector: $name", async ({ input, expect: expected }) => {
    expect(matches(await answer(input), expected)).toBe(true);
  });

  it("is red exactly when somebody waits, whatever is sent", async () => {
    const text = fc.oneof(
      fc.string({ maxLength: 60 }),
      fc.constantFrom("Can you?", "From: a@b.test\n\n", "<p>", "\r\n"),
    );
    const fields = ["subject", "body", "from", "listUnsub", "precedence", "autoSubmitted", "message"];
    const body = fc.dictionary(
      fc.constantFrom(...fields),
      fc.array(text, { maxLength: 4 }).map((parts) => parts.join("")),
    );
    await fc.assert(
      fc.asyncProperty(body, async (input) => {
        const { lane, waiting, rule, summary } = await answer(input);
        expect(lane === "red").toBe(waiting);
        expect(RULES.map(({ name }) => name)).toContain(rule);
        expect(summary.length).toBeGreaterThan(10);
        expect(summary.isWellFormed() || !JSON.stringify(input).isWellFormed()).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([{ subject: 5 }, { message: ["a"] }, { from: {} }])("refuses %j", (body) => {
    expect(() => parseInput(mailTriage, body)).toThrow(expect.objectContaining({ code: "invalid_input" }));
  });

  it("reads message from text, email and raw as well", async () => {
    for (const name of ["message", "text", "email", "raw"]) {
      expect(await answer({ [name]: "Precedence: bulk\nFrom: a@b.test\n\nHello?" })).toMatchObject({
        rule: "precedence",
      });
    }
  });

  it("says its reason in one sentence that keeps a long question short", async () => {
    const { summary } = await answer({ from: "ada@home.test", body: `${"so ".repeat(90)}are you coming?` });
    expect(summary.length).toBeLessThan(200);
    expect(summary).toMatch(/^ada@home\.test asks: “.+…”$/);
  });
});

describe("hostile mail", () => {
  it.each([
    ["?", "?".repeat(LARGEST)],
    ["one long word", "a".repeat(LARGEST)],
    ["headers", `From: a@b.test\n${"X-A: b\n".repeat(LARGEST / 7)}`],
    ["open tags", "<style ".repeat(LARGEST / 7)],
    ["angle brackets", "<".repeat(LARGEST)],
    ["quotes", "> ".repeat(LARGEST / 2)],
    [
      "nested parts",
      `From: a@b.test\n${'Content-Type: multipart/mixed; boundary="x"\n\n--x\n'.repeat(2_000)}`,
    ],
    ["requests", "please ".repeat(LARGEST / 7)],
    ["parentheses", `From: a@b.test\nAuto-Submitted: ${"(".repeat(100_000)}\n\n`],
    ["encoded words", `From: a@b.test\nSubject: ${"=?utf-8?Q?a?= ".repeat(50_000)}\n\nHi`],
  ])("of %s is read in linear time", async (_name, message) => {
    const halfMs = await timeOf(message.slice(0, message.length / 2));
    const wholeMs = await timeOf(message);
    expect(wholeMs).toBeLessThan(Math.max(4 * halfMs, 100));
  });
});

const timeOf = (message: string): Promise<number> => cpuMs(() => answer({ message }), 3);
