import fc from "fast-check";
import { expect, it } from "vitest";
import { balanceId, Chain, type Decided, documentId, type Snapshot } from "../../../src/core/state/chain.ts";
import { stateOperation } from "../../support/state-operations.ts";

const ACCOUNT = { id: "acc_a", keyId: "key_a" };
const NOW = new Date("2026-01-02T03:04:05Z");

const snapshot = (coins: readonly number[], holds: number): Snapshot => ({
  now: NOW,
  documents: new Map(
    coins.map((held, index) => [
      documentId({ kind: "test-purse", key: `p${index}` }),
      { accountId: "acc_other", version: 7, text: `{"changes":1,"coins":${held}}` },
    ]),
  ),
  balances: new Map([[balanceId(stateOperation(ACCOUNT, { purse: "p0" }).settlement), holds]]),
});

const thrown: unknown[] = [];
const chain = (on: Snapshot): Chain => new Chain(on, (error) => thrown.push(error));

const shown = (decided: Decided): unknown =>
  decided.refusal === null
    ? { outcome: decided.outcome, reads: decided.reads, writes: decided.writes }
    : [decided.refusal.code, decided.refusal.reason, decided.isOfStored];

const purse = fc.integer({ min: 0, max: 3 }).map((nth) => `p${nth}`);
const body = fc.record({
  mode: fc.constantFrom(
    "add",
    "move",
    "look",
    "take",
    "open",
    "close",
    "throw",
    "fault",
    "garbled",
    "large",
    "roll",
  ),
  purse,
  to: purse,
  coins: fc.nat(5),
});

it("decides a list twice to the same bytes, and changes nothing that it is given", () => {
  fc.assert(
    fc.property(fc.array(body, { maxLength: 20 }), fc.array(fc.nat(9), { maxLength: 4 }), (bodies, coins) => {
      const operations = bodies.map((input) => stateOperation(ACCOUNT, input));
      const decide = (): string => {
        const list = chain(snapshot(coins, 10));
        return JSON.stringify(operations.map((operation) => shown(list.decide(operation))));
      };
      expect(decide()).toBe(decide());
    }),
  );
});

it("decides a list as if each operation came alone, after the one before was written", () => {
  fc.assert(
    fc.property(fc.array(body, { maxLength: 12 }), (bodies) => {
      const list = chain(snapshot([3, 1], 1_000));
      const alone = new Map(snapshot([3, 1], 1_000).documents);
      for (const input of bodies) {
        const operation = stateOperation(ACCOUNT, input);
        const decided = list.decide(operation);
        const expected = chain({ ...snapshot([], 1_000), documents: alone }).decide(operation);
        expect(plain(decided)).toEqual(plain(expected));
        if (expected.refusal !== null) continue;
        for (const { ref, text } of expected.writes) {
          const before = alone.get(documentId(ref));
          const owned = before !== undefined && before.text !== null;
          alone.set(documentId(ref), {
            accountId: owned ? before.accountId : ACCOUNT.id,
            version: (before?.version ?? 0) + 1,
            text,
          });
        }
      }
    }),
  );
});

const plain = (decided: Decided): unknown =>
  decided.refusal === null
    ? { ...decided, reads: decided.reads.map(({ ref, version }) => ({ ref, version })) }
    : { code: decided.refusal.code };

it("reads versions from 0, where there is nothing, and counts on with each write of the list", () => {
  const list = chain(snapshot([], 10));
  const versions = Array.from({ length: 3 }, () => {
    const decided = list.decide(stateOperation(ACCOUNT, { purse: "p0", to: "p0" }));
    return decided.refusal === null ? decided.reads[0]?.version : undefined;
  });
  expect(versions).toEqual([0, 1, 2]);
});

it("keeps from the others what its caller cannot pay for", () => {
  const list = chain(snapshot([0], 1));
  const changes = Array.from({ length: 3 }, () => {
    const decided = list.decide(stateOperation(ACCOUNT, { purse: "p0" }));
    return decided.refusal === null ? decided.reads[0]?.version : undefined;
  });
  expect(changes).toEqual([7, 8, 8]);
});

it("tells a refusal that rests on what is stored from one that rests on what is about to be", () => {
  const list = chain(snapshot([1], 10));
  const refusals = ["p0", "p1", "p1"].map((purse) =>
    shown(list.decide(stateOperation(ACCOUNT, { mode: "open", purse }))),
  );
  expect(refusals[0]).toEqual(["purse_exists", "conflict", true]);
  expect(refusals[2]).toEqual(["purse_exists", "conflict", false]);
});

it("names the operation of the list that wrote what another has read", () => {
  const list = chain(snapshot([], 10));
  const first = stateOperation(ACCOUNT, { purse: "p0" });
  list.decide(first);
  const second = list.decide(stateOperation(ACCOUNT, { purse: "p0" }));
  expect(second.refusal === null ? second.reads[0]?.writer : null).toBe(first);
});

it("tells the platform what the rules threw, and the caller nothing of it", () => {
  thrown.length = 0;
  const decided = chain(snapshot([], 10)).decide(stateOperation(ACCOUNT, { mode: "throw", purse: "p0" }));
  expect(shown(decided)).toMatchObject({ outcome: { state: "failed", code: "internal_error" }, writes: [] });
  expect(JSON.stringify(shown(decided))).not.toContain("told to throw");
  expect(thrown).toEqual([new Error("it was told to throw")]);
});
