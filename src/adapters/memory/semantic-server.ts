import { z } from "zod";
import type { MemoryScope } from "../../core/memory/memory.ts";
import type { IndexedMemory, SemanticServer } from "../../core/memory/semantic.ts";

/** More than a list of ids for one question ever needs. */
const MAX_ANSWER_BYTES = 65_536;
/** Of what a server names, no more is looked at. */
const MAX_RESULTS = 64;
const MAX_ID_CHARS = 100;

const ranking = z.object({
  results: z.array(z.object({ id: z.string().max(MAX_ID_CHARS) })),
});

const wireScope = ({ accountId, character }: MemoryScope) => ({ account: accountId, character });

/**
 * A semantic memory server over HTTP; docs/memory.md describes what it is asked and what it answers. `url` has no slash
 * at its end.
 */
export function connectSemanticServer(server: {
  readonly url: string;
  readonly apiKey: string | null;
}): SemanticServer {
  const authorization = server.apiKey === null ? {} : { authorization: `Bearer ${server.apiKey}` };

  async function post(path: string, body: unknown, signal: AbortSignal): Promise<Response> {
    const answer = await fetch(`${server.url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json", ...authorization },
      body: JSON.stringify(body),
      // The key and the memories are for this server only.
      redirect: "error",
      signal,
    });
    if (answer.ok) return answer;
    await answer.body?.cancel();
    throw new Error(`the semantic memory server answered ${path} with ${answer.status}`);
  }

  return {
    rank: async (scope, { question, limit, signal }) => {
      const answer = await post("/v1/recall", { scope: wireScope(scope), query: question, limit }, signal);
      const { results } = ranking.parse(JSON.parse(await readText(answer)));
      return results.slice(0, MAX_RESULTS).map(({ id }) => id);
    },
    store: async (memories, signal) => {
      const answer = await post("/v1/memories", { memories: memories.map(wireMemory) }, signal);
      await answer.body?.cancel();
    },
  };
}

const wireMemory = ({ id, content, created, ...scope }: IndexedMemory) => ({
  id,
  scope: wireScope(scope),
  content,
  created: created.toISOString(),
});

/** The text of an answer. Throws, and lets the connection go, where it is longer than any proper one. */
async function readText(answer: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) throw new Error("the semantic memory server answered too much");
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
