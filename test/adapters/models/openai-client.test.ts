import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { OpenAiClient } from "../../../src/adapters/models/openai-client.ts";
import type { ModelFault } from "../../../src/core/models/client.ts";
import {
  type Behaviour,
  dying,
  type FakeModelServer,
  hanging,
  saying,
  SERVERS_WORDS,
  startModelServer,
  status,
} from "../../support/model-server.ts";
import { until } from "../../support/until.ts";

const KEY = "sk-a-key-of-the-tests";
const PROMPT = "words-of-the-prompt";
const SECOND_MS = 1_000;
const MIB = 1_048_576;
const LONG_MS = 120_000;
const SHORT_MS = 200;

let server: FakeModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());
afterEach(() => server.behave(() => true));

const client = (apiKey: string | null = KEY, baseUrl = `${server.url}/v1`): OpenAiClient =>
  new OpenAiClient({ baseUrl, apiKey, model: "meshforge-offline-small" });

function question(signal = new AbortController().signal, task = "test-question") {
  const content = `Task: ${task}\n\n${PROMPT}`;
  const data = { role: "user", content: JSON.stringify({ text: "two words" }) } as const;
  return { task, messages: [{ role: "system", content } as const, data], schema: { type: "object" }, signal };
}

/** The fault of a request; its text must hold nothing of key, prompt or answer. */
async function faultOf(request: Promise<unknown>): Promise<ModelFault> {
  const error = await request.then(
    () => {
      throw new Error("the request did not fail");
    },
    (error: unknown) => error as ModelFault,
  );
  const words = `${error.message} ${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`;
  for (const secret of [KEY, PROMPT, SERVERS_WORDS]) expect(words).not.toContain(secret);
  expect(error).toMatchObject({ name: "ModelFault" });
  return error;
}

/** Refuses what `refused` says and answers the rest well. */
const refusing =
  (refused: (format: string | undefined) => boolean, code = 400): Behaviour =>
  (response, seen) => {
    const format = (seen.body["response_format"] as { type: string } | undefined)?.type;
    return refused(format) ? status(code)(response, seen) : saying('{"words":2}')(response, seen);
  };
const formatsSince = (count: number): unknown[] =>
  server.seen.slice(count).map(({ body }) => (body["response_format"] as { type: string } | undefined)?.type);

describe("a question", () => {
  it("gives the model's text, its name and the tokens", async () => {
    const reply = await client().chat(question(), LONG_MS);
    expect(reply).toMatchObject({ text: '{"words":2}', model: "meshforge-offline-small" });
    expect(reply.tokens.prompt).toBeGreaterThan(0);
    expect(reply.tokens.completion).toBeGreaterThan(0);
  });

  it("names the task as the schema's name", async () => {
    await client().chat(question(), LONG_MS);
    expect(server.seen.at(-1)?.body["response_format"]).toEqual({
      type: "json_schema",
      json_schema: { name: "test-question", schema: { type: "object" } },
    });
  });

  it("carries the server's key, and none where there is none", async () => {
    await client().chat(question(), LONG_MS);
    expect(server.seen.at(-1)?.authorization).toBe(`Bearer ${KEY}`);
    await client(null).chat(question(), LONG_MS);
    expect(server.seen.at(-1)?.authorization).toBeUndefined();
  });

  it.each([
    ["empty", { message: { content: "" } }, "empty"],
    ["without words", { message: { content: null } }, "empty"],
    ["cut off", { finish_reason: "length" }, "cut off"],
    ["filtered", { finish_reason: "content_filter" }, "refused"],
    ["a refusal", { message: { content: null, refusal: "I will not." } }, "refused"],
  ])("says of an answer that it is %s", async (_what, choice, fault) => {
    server.behave(saying("{}", choice));
    expect(await client().chat(question(), LONG_MS)).toMatchObject({
      fault,
      tokens: { prompt: 7, completion: 5 },
    });
  });
});

describe("a server that does not keep to schemas", () => {
  it.each([400, 422])("is asked in JSON mode after a %i", async (code) => {
    server.behave(refusing((format) => format === "json_schema", code));
    const before = server.seen.length;
    await client().chat(question(), LONG_MS);
    expect(formatsSince(before)).toEqual(["json_schema", "json_object"]);
  });

  it("is asked in plain text where it knows no JSON mode either, and then at once", async () => {
    server.behave(refusing((format) => format !== undefined));
    const asked = client();
    const before = server.seen.length;
    await asked.chat(question(), LONG_MS);
    await asked.chat(question(), LONG_MS);
    expect(formatsSince(before)).toEqual(["json_schema", "json_object", undefined, undefined]);
  });

  it("is still asked with a schema for other tasks: it may have refused one schema only", async () => {
    server.behave(refusing((format) => format === "json_schema"));
    const asked = client();
    await asked.chat(question(), LONG_MS);
    const before = server.seen.length;
    await asked.chat(question(undefined, "another-task"), LONG_MS);
    expect(formatsSince(before)[0]).toBe("json_schema");
  });

  it("is remembered in nothing when it refuses every mode", async () => {
    server.behave(status(400));
    const asked = client();
    expect((await faultOf(asked.chat(question(), LONG_MS))).kind).toBe("refused");
    const before = server.seen.length;
    server.behave(saying("{}"));
    await asked.chat(question(), LONG_MS);
    expect(formatsSince(before)).toEqual(["json_schema"]);
  });
});

describe("a fault", () => {
  it.each([
    [400, "refused"],
    [401, "unusable"],
    [403, "refused"],
    [404, "unusable"],
    [408, "failing"],
    [413, "refused"],
    [429, "busy"],
    [500, "failing"],
    [503, "failing"],
    [307, "unusable"],
  ] as const)("of status %i is %s", async (code, kind) => {
    server.behave(status(code, code === 307 ? { location: "http://127.0.0.1:1/" } : {}));
    expect(await faultOf(client().chat(question(), LONG_MS))).toMatchObject({ kind, status: code });
  });

  it.each(["insufficient_quota", "credit_balance_exhausted"])(
    "of a 429 for %s is that the server is unusable",
    async (code) => {
      server.behave(status(429, {}, code));
      expect((await faultOf(client().chat(question(), LONG_MS))).kind).toBe("unusable");
    },
  );

  it.each([
    ["seconds", "7", 7_000],
    ["a part of a second", "0.25", 250],
    ["no number", "soon", null],
  ])("says when to come again, in %s", async (_how, value, retryAfterMs) => {
    server.behave(status(429, { "retry-after": value }));
    expect((await faultOf(client().chat(question(), LONG_MS))).retryAfterMs).toBe(retryAfterMs);
  });

  it("says when to come again, as a date", async () => {
    server.behave(status(503, { "retry-after": new Date(Date.now() + 30 * SECOND_MS).toUTCString() }));
    const { retryAfterMs } = await faultOf(client().chat(question(), LONG_MS));
    expect(retryAfterMs).toBeGreaterThan(28 * SECOND_MS);
    expect(retryAfterMs).toBeLessThanOrEqual(30 * SECOND_MS);
  });

  it("of a connection that breaks in the middle of an answer is failing", async () => {
    server.behave(dying);
    expect((await faultOf(client().chat(question(), LONG_MS))).kind).toBe("failing");
  });

  it("of a server that is not there is failing", async () => {
    expect((await faultOf(client(KEY, "http://127.0.0.1:1/v1").chat(question(), LONG_MS))).kind).toBe(
      "failing",
    );
  });

  it.each([
    ["a web page", "text/html", `<html>${SERVERS_WORDS}</html>`],
    ["broken JSON", "application/json", `{"choices": [${SERVERS_WORDS}`],
    ["JSON of something else", "application/json", `{"${SERVERS_WORDS}": 1}`],
    ["nothing", "application/json", ""],
    ["more than an answer may hold", "application/json", `{"choices": "${"x".repeat(2 * MIB)}"}`],
  ])("of an answer that is %s is garbled", async (_what, type, text) => {
    server.behave((response) => {
      response.writeHead(200, { "content-type": type }).end(text);
      return false;
    });
    expect((await faultOf(client().chat(question(), LONG_MS))).kind).toBe("garbled");
  });

  it("of a server without an answer in time is slow, and the request is ended", async () => {
    server.behave(hanging);
    expect((await faultOf(client().chat(question(), SHORT_MS))).kind).toBe("slow");
    await until(async () => server.seen.at(-1)?.aborted);
  });

  it("of a request that was given up is aborted, and the request is ended", async () => {
    server.behave(hanging);
    const stop = new AbortController();
    const before = server.seen.length;
    const asking = faultOf(client().chat(question(stop.signal), LONG_MS));
    await until(async () => server.seen.length > before);
    stop.abort("cancelled");
    expect((await asking).kind).toBe("aborted");
    await until(async () => server.seen.at(-1)?.aborted);
  });
});

const asking = (): Promise<{ readonly bytes: Uint8Array }> =>
  client().image({ prompt: PROMPT, signal: new AbortController().signal }, LONG_MS);
const answering =
  (image: unknown): Behaviour =>
  (response, { path }) => {
    if (!path.includes("images")) return true;
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ data: [image] }));
    return false;
  };

describe("an image", () => {
  const bytes = Buffer.from("these bytes are not looked at here");
  const base64 = bytes.toString("base64");
  it("comes in base64", async () => {
    server.behave(answering({ b64_json: base64 }));
    expect(Buffer.from((await asking()).bytes)).toEqual(bytes);
  });

  it("comes as a data URL", async () => {
    server.behave(answering({ url: `data:image/png;base64,${base64}` }));
    expect(Buffer.from((await asking()).bytes)).toEqual(bytes);
  });

  it("is fetched from the model server itself, wherever that is", async () => {
    server.behave(answering({ url: `${server.url}/v1/models` }));
    expect(JSON.parse(Buffer.from((await asking()).bytes).toString())).toMatchObject({ object: "list" });
  });

  it("whose address is not answered in time is garbled: the model server itself has answered", async () => {
    server.behave((response, seen) => {
      const address = { url: `${server.url}/v1/models` };
      return seen.path.includes("images") ? answering(address)(response, seen) : hanging(response, seen);
    });
    const request = { prompt: PROMPT, signal: new AbortController().signal };
    expect((await faultOf(client().image(request, SHORT_MS))).kind).toBe("garbled");
  });

  it.each([404, 500])("whose address answers %i is garbled", async (status) => {
    server.behave((response, seen) => {
      if (seen.path.includes("images")) return answering({ url: `${server.url}/v1/models` })(response, seen);
      response.writeHead(status).end();
      return false;
    });
    expect((await faultOf(asking())).kind).toBe("garbled");
  });

  it.each([
    "http://127.0.0.1:9/image.png",
    "https://images.invalid/dead.png",
    "https://169.254.169.254/latest",
    "file:///etc/passwd",
    "https://10.0.0.1/a",
  ])("is not fetched from %s", async (url) => {
    server.behave(answering({ url }));
    expect((await faultOf(asking())).kind).toBe("garbled");
  });

  it.each([
    ["nothing", {}],
    ["no base64", { b64_json: "" }],
    ["an empty data URL", { url: "data:image/png;base64," }],
  ])("of %s is garbled", async (_what, image) => {
    server.behave(answering(image));
    expect((await faultOf(asking())).kind).toBe("garbled");
  });
});
