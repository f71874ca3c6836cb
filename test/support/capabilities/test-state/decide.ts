import { contradiction, InputFault, unknownThing } from "../../../../src/core/errors.ts";
import { defineStateTool } from "../../../../src/core/state/state-tool.ts";
import testState from "./index.ts";

type Purse = { readonly coins: number; readonly changes: number };

const ref = (key: string) => ({ kind: "test-purse", key });
const EMPTY: Purse = { coins: 0, changes: 0 };

const given = (purse: Purse, coins: number): Purse => ({
  coins: purse.coins + coins,
  changes: purse.changes + 1,
});

export default defineStateTool<{ purse: Purse; to: Purse }, typeof testState.input, typeof testState.output>(
  testState,
  {
    documents: ({ purse, to }) => ({ purse: ref(purse), to: ref(to ?? purse) }),
    decide: (documents, { mode, coins, text }, { random }) => {
      const purse = documents.purse?.body ?? EMPTY;
      const to = documents.to?.body ?? EMPTY;
      const told = text === undefined ? {} : { text };
      switch (mode) {
        case "add":
          return { output: { ...given(purse, coins), ...told }, writes: { purse: given(purse, coins) } };
        case "move":
          return {
            output: { ...given(purse, -coins), ...told },
            writes: { purse: given(purse, -coins), to: given(to, coins) },
          };
        case "take":
          return purse.coins < coins
            ? contradiction("not_enough_coins", `The purse holds ${purse.coins} coins.`)
            : { output: given(purse, -coins), writes: { purse: given(purse, -coins) } };
        case "look":
          return documents.purse === null
            ? unknownThing("unknown_purse", "There is no such purse.")
            : { output: purse };
        case "open":
          return documents.purse === null
            ? { output: EMPTY, writes: { purse: EMPTY } }
            : contradiction("purse_exists", "There is such a purse already.");
        case "close":
          return { output: purse, writes: { purse: null } };
        case "roll": {
          const roll = random();
          return { output: { ...purse, roll }, writes: { purse: { ...purse, changes: roll } } };
        }
        case "fault":
          return new InputFault("told_to_fault", "It was told to fault.");
        case "garbled":
          return { output: { coins: Number.NaN, changes: 0 }, writes: { purse: given(purse, 1) } };
        case "large":
          return { output: purse, writes: { purse: { ...purse, filling: "x".repeat(70_000) } as Purse } };
        default:
          throw new Error("it was told to throw");
      }
    },
  },
);
