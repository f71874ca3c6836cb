import { defineHandler, type HandlerContext } from "../../core/catalog/define.ts";
import { ask } from "../../core/models/ask.ts";
import { loadPrompt } from "../../core/models/prompt.ts";
import taskOrchestrate from "./index.ts";
import { planFor } from "./plan.ts";

/** As many as a brain looks at. */
const MEMORIES = 12;

const prompt = loadPrompt(import.meta.dirname);

export default defineHandler(
  taskOrchestrate,
  async ({ task, tools: given, context: facts, use_memory }, context) => {
    const tools = [...new Set(given)];
    const memories = use_memory === true ? await recall(task, context) : [];
    const { answer, model } = await ask(context, {
      tier: "small",
      task: "task-orchestrate",
      prompt,
      data: {
        task,
        tools,
        ...(facts === undefined ? {} : { context: facts }),
        ...(memories.length === 0 ? {} : { memories }),
      },
      schema: planFor(tools),
    });
    return { ...answer, model };
  },
);

/** What the account itself has stored, none of its characters' memories; nothing is written. */
async function recall(task: string, { accountId, memory, signal }: HandlerContext): Promise<string[]> {
  const scope = { accountId, character: "" };
  const { memories } = await memory.relevant(scope, { question: task, limit: MEMORIES, signal });
  return memories.map(({ content }) => content);
}
