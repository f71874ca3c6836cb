import { expect, it } from "vitest";
import { nearest } from "../../src/core/nearest.ts";

const FIELDS = ["width", "height", "thickness", "cornerR", "listUnsub", "list_unsubscribe", "text"];

it.each([
  ["widht", "width"],
  ["wdth", "width"],
  ["WIDTH", "width"],
  ["width_mm", "width"],
  ["hieght", "height"],
  ["thicknes", "thickness"],
  ["corner_r", "cornerR"],
  ["List-Unsubscribe", "list_unsubscribe"],
  ["txt", "text"],
])("takes %s for a slip of %s", (given, meant) => {
  expect(nearest(given, FIELDS)).toEqual([meant]);
});

it.each(["colour", "x", "", "w".repeat(65), "😀", "depth of the cut"])(
  "takes %j for none of them",
  (given) => {
    expect(nearest(given, FIELDS)).toEqual([]);
  },
);

it("gives several, the nearest first, and no more than were asked for", () => {
  const slugs = ["agent-brain", "agent-brain-smart", "agent-memory", "pos-rescue"];
  expect(nearest("agentbrain", slugs, 3)).toEqual(["agent-brain", "agent-brain-smart"]);
  expect(nearest("agent-brian", slugs, 1)).toEqual(["agent-brain"]);
});
