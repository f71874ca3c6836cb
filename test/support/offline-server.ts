import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Body } from "../../src/offline/exchange.ts";
import { startOfflineServer } from "../../src/offline/server.ts";

/** How the server can be ordered to misbehave. */
export type Fault =
  | "429"
  | "500"
  /** Never answers. */
  | "hang"
  /** Answers well after `delayMs`. */
  | "slow"
  /** A chat answer whose content is cut-off JSON. */
  | "malformed json"
  /** A chat answer whose content is JSON of another shape. */
  | "wrong schema"
  /** A body that is no JSON. */
  | "garbage"
  /** An image of no bytes. */
  | "empty image"
  /** A PNG that ends after its first bytes. */
  | "broken image"
  /** Closes the connection in the middle of the body. */
  | "die";

export type Order = {
  readonly fault: Fault;
  /** How many requests it is for; default all from now on. */
  readonly times?: number;
  /** Only for this model. */
  readonly model?: string;
  /** Seconds of `Retry-After` with a 429. */
  readonly retryAfterS?: number;
  readonly delayMs?: number;
};

/** A request as the server took it. */
export type Taken = { readonly path: string; readonly body: Body };

export type TestModels = {
  /** For `OFFLINE_MODELS_URL`; requests go to `<url>/v1/...`. */
  readonly url: string;
  /** All requests so far, in order. */
  readonly taken: readonly Taken[];
  /** Adds an order; orders are used up one after the other. */
  order(order: Order): void;
  /** Behaves from now on. */
  behave(): void;
  close(): Promise<void>;
};

const OWN_CAPABILITIES = join(import.meta.dirname, "../../src/features");
const DEFAULT_DELAY_MS = 1_000;
/** The beginning of a PNG. */
const BROKEN_PNG = Buffer.from("89504e470d0a1a0a0000000d49484452000004000000", "hex");

/** The product's offline server in this process, on a free port, which does as it is ordered. */
export async function startTestModels(roots: readonly string[] = [OWN_CAPABILITIES]): Promise<TestModels> {
  const taken: Taken[] = [];
  let orders: { order: Order; left: number }[] = [];
  const closing = new AbortController();
  const take = (model: unknown): Order | undefined => {
    const next = orders.find(({ order }) => order.model === undefined || order.model === model);
    if (next !== undefined) next.left -= 1;
    orders = orders.filter(({ left }) => left > 0);
    return next?.order;
  };
  const server = await startOfflineServer({
    roots,
    intercept: async (path, body, response) => {
      taken.push({ path, body });
      const order = take(body["model"]);
      return order !== undefined && (await misbehave(order, body, response, closing.signal));
    },
  });
  return {
    url: server.url,
    taken,
    order: (order) => orders.push({ order, left: order.times ?? Number.POSITIVE_INFINITY }),
    behave: () => (orders = []),
    close: async () => {
      closing.abort();
      await server.close();
    },
  };
}

/** True when the request has been answered, or never will be. */
async function misbehave(
  { fault, retryAfterS, delayMs = DEFAULT_DELAY_MS }: Order,
  body: Body,
  response: ServerResponse,
  closing: AbortSignal,
): Promise<boolean> {
  switch (fault) {
    case "slow":
      await sleep(delayMs, undefined, { signal: closing }).catch(() => response.destroy());
      return false;
    case "hang":
      closing.addEventListener("abort", () => response.destroy());
      return true;
    case "429":
      if (retryAfterS !== undefined) response.setHeader("retry-after", String(retryAfterS));
      return send(response, 429, { error: { message: "Too many requests.", type: "rate_limit_error" } });
    case "500":
      return send(response, 500, { error: { message: "It broke.", type: "server_error" } });
    case "garbage":
      response.writeHead(200, { "content-type": "application/json" });
      response.end("<html>");
      return true;
    case "malformed json":
      return send(response, 200, chatAnswer(body, '{"summary": "cut off in the mid'));
    case "wrong schema":
      return send(response, 200, chatAnswer(body, '{"unexpected": [1, 2, 3]}'));
    case "empty image":
      return send(response, 200, { created: 0, data: [{ b64_json: "" }] });
    case "broken image":
      return send(response, 200, { created: 0, data: [{ b64_json: BROKEN_PNG.toString("base64") }] });
    case "die":
      response.writeHead(200, { "content-type": "application/json", "content-length": 1_000 });
      response.write('{"id": "chatcmpl-', () => response.destroy());
      return true;
    default:
      throw new Error(`${String(fault satisfies never)} is no fault`);
  }
}

function send(response: ServerResponse, status: number, body: unknown): true {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
  return true;
}

const chatAnswer = (body: Body, content: string) => ({
  id: "chatcmpl-ordered",
  object: "chat.completion",
  created: 0,
  model: body["model"],
  choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
});
