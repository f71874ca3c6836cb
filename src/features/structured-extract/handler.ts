import { defineHandler } from "../../core/catalog/define.ts";
import { InputFault } from "../../core/errors.ts";
import { isDeeperThan } from "../../core/json-schema/compile.ts";
import { OutOfSteps } from "../../core/json-schema/faults.ts";
import { LIMITS } from "../../core/limits.ts";
import { askExpecting, type Expected } from "../../core/models/ask.ts";
import { loadPrompt } from "../../core/models/prompt.ts";
import structuredExtract from "./index.ts";
import { readShape, type Shape } from "./shape.ts";

const prompt = loadPrompt(import.meta.dirname);

type Data = Record<string, unknown> | unknown[];

export default defineHandler(structuredExtract, async ({ text, shape, instructions }, context) => {
  const wanted = readShape(shape);
  try {
    const { answer, model } = await askExpecting(context, {
      tier: "small",
      task: structuredExtract.slug,
      prompt,
      data: {
        text,
        ...(wanted.description === undefined ? { example: shape } : { description: wanted.description }),
        ...(instructions === undefined || instructions === "" ? {} : { instructions }),
      },
      expected: dataOf(wanted),
    });
    return { data: answer, model };
  } catch (error) {
    if (error instanceof OutOfSteps)
      throw new InputFault("shape_unusable", `The shape cannot be checked. ${error.message}`);
    throw error;
  }
});

/** The data comes in an envelope: an answer is an object, and a shape may be of an array. */
const dataOf = ({ schema, check }: Shape): Expected<Data> => ({
  jsonSchema: {
    type: "object",
    properties: { data: schema },
    required: ["data"],
    additionalProperties: false,
    // References of the shape begin at the root.
    ...(schema["$defs"] === undefined ? {} : { $defs: schema["$defs"] }),
    ...(schema["definitions"] === undefined ? {} : { definitions: schema["definitions"] }),
  },
  read: (value) => {
    const data = (value as { data?: unknown } | undefined)?.data;
    if (typeof data !== "object" || data === null) return { fault: "`data` is no object." };
    if (isDeeperThan(data, LIMITS.jsonDepth)) return { fault: "`data` is nested too deep." };
    const fault = check(data);
    return fault === undefined ? { answer: data as Data } : { fault: `\`data\`: ${fault}` };
  },
});
