import { z } from "zod";
import { boundedText } from "../../core/catalog/bounded-text.ts";
import { defineCapability, field, mesh, usd } from "../../core/catalog/define.ts";
import { invalidInput } from "../../core/errors.ts";

/** Of the profile, as JSON, in UTF-16 units. */
const PROFILE_LIMIT = 16_384;
/** In code points. */
const ITEM_LIMIT = 2_000;
const GOAL_LIMIT = 2_000;
const CONTENT_LIMIT = 200;

/** Chooses from what there is what suits one person. */
export default defineCapability({
  slug: "personalize",
  version: "1.0.0",
  name: "Personalize",
  category: "personalization",
  summary:
    "Chooses from a list of content what suits a profile and a goal, says what to keep away from that person, and " +
    "writes a headline and a hook for the choice. Never names content that was not given.",
  offers: [
    { surface: "marketplace", price: mesh(2) },
    { surface: "tool-api", route: { method: "POST", path: "/v1/personalize" }, price: usd("0.002") },
  ],
  pool: "brain",
  model: "small",
  profile: { deterministic: false, typicalMs: 3_000, maximumMs: 60_000, sideEffects: [] },
  input: z.object({
    profile: z
      .record(z.string(), z.unknown())
      .describe("What is known of the person: interests, dislikes, history."),
    content: z
      .array(boundedText(0, ITEM_LIMIT))
      .min(1)
      .max(CONTENT_LIMIT)
      .describe("What there is to choose from, one text for each piece."),
    goal: boundedText(1, GOAL_LIMIT).register(field, { trim: true }).describe("What the choice is for."),
  }),
  output: z.object({
    selected: z.array(z.string()).describe("Members of `content`, the best first."),
    headline: z.string(),
    hook: z.string().describe("One or two sentences that make this person look closer."),
    avoid: z
      .array(z.string())
      .describe("Members of `content` that would put this person off; none of them selected."),
    model: z.string(),
  }),
  check: ({ profile, content }) => {
    if (JSON.stringify(profile).length > PROFILE_LIMIT) {
      throw invalidInput([
        { path: "profile", message: `Too large: expected at most ${PROFILE_LIMIT} characters` },
      ]);
    }
    if (content.every((item) => item.trim() === "")) {
      throw invalidInput([{ path: "content", message: "Every piece of content is empty" }]);
    }
  },
});
