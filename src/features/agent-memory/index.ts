import { z } from "zod";
import { defineCapability, field, mesh } from "../../core/catalog/define.ts";
import { invalidInput } from "../../core/errors.ts";

const ACTIONS = ["store", "recall"] as const;
/** As the database holds it at most, in code points. */
const CONTENT_CHARS = 2_000;
/** No longer term can stand in a memory. */
const QUERY_CHARS = 2_000;

const memory = z.object({
  id: z.string(),
  content: z.string(),
  created: z.iso.datetime(),
});

export default defineCapability({
  slug: "agent-memory",
  version: "1.0.0",
  name: "Agent memory",
  category: "memory",
  summary:
    "Keeps short texts for an agent, apart for each of its characters, and finds them again: the newest that hold one of up to five terms.",
  offers: [{ surface: "marketplace", price: mesh(2) }],
  pool: "inline",
  inlineBytes: Number.POSITIVE_INFINITY,
  timeoutMs: 5_000,
  profile: { deterministic: false, typicalMs: 3, maximumMs: 500, sideEffects: ["memory"] },
  input: z
    .object({
      action: z
        .preprocess((given) => (given === "" ? undefined : given), z.enum(ACTIONS).optional())
        .describe("Without it: store where there is content, else recall."),
      content: z
        .string()
        .optional()
        .register(field, { aliases: ["remember", "text"], truncateAt: CONTENT_CHARS })
        .describe("What to store."),
      query: z
        .string()
        .optional()
        .register(field, { aliases: ["recall", "q"], truncateAt: QUERY_CHARS })
        .describe(
          "Up to 5 terms with white space between them; a memory that holds one of them is found, also inside a word, whatever the case. Empty: the newest.",
        ),
      character: z
        .string()
        .optional()
        .register(field, { aliases: ["as", "npc"], trim: true })
        .describe(
          "Whose memory, where an account plays several: kept apart by its slug, of at most 48 characters.",
        ),
    })
    // Declared so; that it may be missing all the same is this capability's courtesy.
    .meta({ required: ["action"] }),
  output: z.union([
    z.object({
      action: z.literal("store"),
      stored: z.literal(true),
      id: z.string(),
      scope: z.string(),
      length: z.int(),
    }),
    z.object({ action: z.literal("recall"), memories: z.array(memory), count: z.int() }),
  ]),
  check: ({ action, content = "" }) => {
    if (action === "store" && content === "") {
      throw invalidInput([{ path: "content", message: "There is nothing to store: content is empty." }]);
    }
  },
});
