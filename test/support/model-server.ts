import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { startOfflineServer } from "../../src/offline/server.ts";
import { TEST_CAPABILITIES } from "./platform.ts";

const CAPABILITIES = new URL("../../src/features", import.meta.url).pathname;
/** What it names itself where it makes an answer up. */
const MODEL = "meshforge-test-fake";
const USAGE = { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12 };
/** What every wrong answer holds: no caller may ever see it. */
export const SERVERS_WORDS = "words-of-the-model-server";

type Json = Readonly<Record<string, unknown>>;

/** A request as it came in. */
export type Seen = {
  readonly path: string;
  readonly body: Json;
  readonly authorization: string | undefined;
  /** Whether the other side went away before it had its answer. */
  aborted: boolean;
};

/** How a request is answered: true leaves it to the offline server, which answers well. */
export type Behaviour = (response: ServerResponse, seen: Seen) => Promise<boolean> | boolean;

export type FakeModelServer = {
  /** Without a path: what OFFLINE_MODELS_URL is set to. */
  readonly url: string;
  readonly seen: readonly Seen[];
  /** The most requests that were under way at once, of those that `of` accepts. */
  mostAtOnce(of?: (seen: Seen) => boolean): number;
  behave(behaviour: Behaviour): void;
  close(): Promise<void>;
};

/** The offline server with ordered misbehaviour, over a real socket. */
export async function startModelServer(): Promise<FakeModelServer> {
  const seen: Seen[] = [];
  const underWay = new Set<Seen>();
  const most: Seen[][] = [];
  const open = new Set<ServerResponse>();
  let behaviour: Behaviour = good;
  const server = await startOfflineServer({
    roots: [CAPABILITIES, TEST_CAPABILITIES],
    intercept: async (path, body, response) => {
      const one = { path, body, authorization: response.req.headers.authorization, aborted: false };
      seen.push(one);
      underWay.add(one);
      open.add(response);
      most.push([...underWay]);
      response.on("close", () => {
        one.aborted = !response.writableFinished;
        underWay.delete(one);
        open.delete(response);
      });
      return !(await behaviour(response, one));
    },
  });
  return {
    url: server.url,
    seen,
    mostAtOnce: (of = () => true) => Math.max(0, ...most.map((atOnce) => atOnce.filter(of).length)),
    behave: (next) => {
      behaviour = next;
    },
    close: async () => {
      for (const response of open) response.destroy();
      await server.close();
    },
  };
}

/** Answers as the offline server does. */
export const good: Behaviour = () => true;

/** Answers well after a while. */
export const slow =
  (ms: number): Behaviour =>
  async () => {
    await sleep(ms);
    return true;
  };

/** Never answers. */
export const hanging: Behaviour = () => false;

/** Breaks the connection in the middle of an answer. */
export const dying: Behaviour = (response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": 1_000 });
  response.write(`{"choices":[{"message":{"content":"${SERVERS_WORDS}`, () => response.destroy());
  return false;
};

/** Answers with a status and an error in the form of OpenAI. */
export const status =
  (
    code: number,
    headers: Readonly<Record<string, string>> = {},
    errorCode: string | null = null,
  ): Behaviour =>
  (response) => {
    response.writeHead(code, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify({ error: { message: SERVERS_WORDS, code: errorCode } }));
    return false;
  };

/** A completion with this text; for images, this is the image. */
export const saying =
  (text: string, choice: Json = {}): Behaviour =>
  (response, { path }) => {
    const completion = {
      model: MODEL,
      choices: [
        { index: 0, finish_reason: "stop", message: { role: "assistant", content: text }, ...choice },
      ],
      usage: USAGE,
    };
    const image = { data: [{ b64_json: Buffer.from(text).toString("base64") }] };
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(path.includes("image") ? image : completion));
    return false;
  };

/** An answer that is no JSON; no image. */
export const malformed = saying(`${SERVERS_WORDS}: I would rather not.`);

/** An answer that is JSON of another schema; no image. */
export const wrongSchema = saying(JSON.stringify({ [SERVERS_WORDS]: true }));
