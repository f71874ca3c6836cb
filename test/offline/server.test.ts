import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import OpenAI from "openai";
import { afterAll, describe, expect, it } from "vitest";
import { startTestModels } from "../support/offline-server.ts";

const models = await startTestModels([join(import.meta.dirname, "capabilities")]);
afterAll(() => models.close());
const client = new OpenAI({ baseURL: `${models.url}/v1`, apiKey: "none", maxRetries: 0 });

type Body = Record<string, unknown>;

const post = async (path: string, body: unknown): Promise<{ status: number; body: Body }> => {
  const response = await fetch(`${models.url}${path}`, {
    method: "POST",
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Body };
};

const SMALL = "meshforge-offline-small";
const LARGE = "meshforge-offline-large";
const schema = { type: "object", properties: { email: { type: "string" } }, required: ["email"] };
const format = (name: string): OpenAI.ResponseFormatJSONSchema => ({
  type: "json_schema",
  json_schema: { name, schema },
});

async function say(
  messages: OpenAI.ChatCompletionMessageParam[],
  more: Partial<OpenAI.ChatCompletionCreateParamsNonStreaming> = {},
): Promise<string> {
  const completion = await client.chat.completions.create({ model: SMALL, messages, ...more });
  return completion.choices[0]?.message.content ?? "";
}
const user = (content: string): OpenAI.ChatCompletionMessageParam => ({ role: "user", content });
const system = (content: string): OpenAI.ChatCompletionMessageParam => ({ role: "system", content });

const aboutAnimal = (animal: string): OpenAI.ChatCompletionMessageParam =>
  user(`The ${animal} eats at dawn. The ${animal} sleeps at noon. The ${animal} hunts at dusk. Rain falls.`);

const embed = async (...input: string[]): Promise<number[][]> =>
  (await client.embeddings.create({ model: SMALL, input })).data.map(({ embedding }) => embedding);
const dot = (one: number[], other: number[]): number =>
  one.reduce((sum, x, i) => sum + x * (other[i] ?? 0), 0);

describe("models", () => {
  it("lists the three under names that say what they are", async () => {
    const list = await client.models.list();
    expect(list.data.map(({ id }) => id)).toEqual([SMALL, LARGE, "meshforge-offline-image"]);
    expect((await client.models.retrieve(LARGE)).owned_by).toBe("meshforge");
  });
});

describe("a known task", () => {
  const data = user('{"text":"three little words"}');

  it("is answered by its capability's method, found by the schema's name or the line in the system message", async () => {
    const expected = { words: 3, keys: ["type", "properties", "required"] };
    expect(JSON.parse(await say([data], { response_format: format("test-count") }))).toEqual(expected);
    const named = [system("Task: test-count\n\nCount."), data];
    expect(JSON.parse(await say(named))).toEqual({ words: 3, keys: [] });
    const told = system(
      `Task: test-count\n\nCount.\n\nThe JSON Schema of the answer:\n${JSON.stringify(schema)}`,
    );
    expect(JSON.parse(await say([told, data]))).toEqual(expected);
  });

  it("knows which model was asked", async () => {
    const more = { model: LARGE, response_format: format("test-count") };
    expect(JSON.parse(await say([data], more))).toMatchObject({ letters: 18 });
  });

  it("is answered again from the same data when the first answer is called wrong", async () => {
    const again = [
      data,
      { role: "assistant", content: "{}" } as const,
      user("That answer is wrong: x. Answer again."),
    ];
    expect(JSON.parse(await say(again, { response_format: format("test-count") }))).toMatchObject({
      words: 3,
    });
  });

  it("is a 500 without the method's words when the method throws", async () => {
    const { status, body } = await post("/v1/chat/completions", {
      model: SMALL,
      messages: [user('{"text":"fail"}')],
      response_format: format("test-count"),
    });
    expect(status).toBe(500);
    expect(JSON.stringify(body)).not.toContain("secret");
  });

  it.each(["../test-count", "..%2ftest-count", "test-count/../x"])(
    "is not found by the path %s",
    async (name) => {
      expect(JSON.parse(await say([data], { response_format: format(name) }))).toEqual({ email: "" });
    },
  );
});

describe("an unknown task", () => {
  it("with a schema is filled from the user's text", async () => {
    const text = user("Ann's address is ann@x.test, and the weather is fine.");
    expect(JSON.parse(await say([text], { response_format: format("other") }))).toEqual({
      email: "ann@x.test",
    });
    const data = user('{"note":"call bob@y.test"}');
    expect(JSON.parse(await say([data], { response_format: format("other") }))).toEqual({
      email: "bob@y.test",
    });
  });

  it("without one is answered with arithmetic and sentences of the input, and says that it is offline", async () => {
    const text = "The shop opens at nine. The cat sleeps. When does the shop open? And 12 * 12?";
    const answer = await say([user(text)]);
    expect(answer).toContain("12 * 12 = 144");
    expect(answer).toMatch(/offline text methods, no language model/);
    expect(await say([user("The shop opens at nine. The cat sleeps. When does the shop open?")])).toContain(
      "The shop opens at nine.",
    );
    expect(await say([user("Why?")])).toContain('Nothing in this conversation answers "Why?"');
  });

  it("gives the same answer to the same input, another to another, and a longer one from the large model", async () => {
    expect(await say([aboutAnimal("fox")])).toBe(await say([aboutAnimal("fox")]));
    expect(await say([aboutAnimal("fox")])).not.toBe(await say([aboutAnimal("owl")]));
    expect((await say([aboutAnimal("fox")], { model: LARGE })).length).toBeGreaterThan(
      (await say([aboutAnimal("fox")])).length,
    );
  });

  it("is a JSON object in JSON mode", async () => {
    const answer = await say([user("2 + 3 =")], { response_format: { type: "json_object" } });
    expect(JSON.parse(answer)).toEqual({ answer: expect.stringContaining("2 + 3 = 5") });
  });
});

describe("the protocol", () => {
  it("counts tokens, and cuts at the wanted number of them", async () => {
    const completion = await client.chat.completions.create({
      model: SMALL,
      messages: [user("One sentence is here. Another sentence is there.")],
      max_completion_tokens: 3,
    });
    expect(completion.choices[0]?.finish_reason).toBe("length");
    expect(completion.usage).toEqual({ prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 });
  });

  it("streams what it answers as a whole, with usage where that is asked for", async () => {
    const messages = [user("The shop 🏪 opens at nine. The cat sleeps. 6 * 7 =")];
    const whole = await say(messages);
    const stream = await client.chat.completions.create({
      model: SMALL,
      messages,
      stream: true,
      stream_options: { include_usage: true },
    });
    let text = "";
    let finish: string | null = null;
    let tokens = 0;
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? "";
      finish = chunk.choices[0]?.finish_reason ?? finish;
      tokens = chunk.usage?.completion_tokens ?? tokens;
    }
    expect({ text, finish }).toEqual({ text: whole, finish: "stop" });
    expect(tokens).toBeGreaterThan(0);
  });

  it("takes contents in parts", async () => {
    expect(await say([{ role: "user", content: [{ type: "text", text: "2 + 2 =" }] }])).toContain(
      "2 + 2 = 4",
    );
  });

  it.each([
    ["/v1/chat/completions", "not json", 400],
    ["/v1/chat/completions", { model: SMALL }, 400],
    ["/v1/chat/completions", { model: SMALL, messages: [{}] }, 400],
    ["/v1/chat/completions", { model: SMALL, messages: [user("x")], max_tokens: -1 }, 400],
    ["/v1/chat/completions", { model: "gpt", messages: [user("x")] }, 404],
    ["/v1/chat/completions", { model: "meshforge-offline-image", messages: [user("x")] }, 400],
    ["/v1/embeddings", { model: SMALL, input: "" }, 400],
    ["/v1/embeddings", { model: SMALL, input: ["a", 5] }, 400],
    ["/v1/images/generations", { model: SMALL, prompt: "x" }, 404],
    ["/v1/images/generations", { model: "meshforge-offline-image", prompt: "" }, 400],
    ["/v1/images/generations", { model: "meshforge-offline-image", prompt: "x", n: 2 }, 400],
    ["/v1/images/generations", { model: "meshforge-offline-image", prompt: "x", size: "9x9" }, 400],
    ["/v1/nothing", {}, 404],
    ["/v1/models", {}, 405],
    ["/v1/chat/completions", `"${"x".repeat(4 * 1_048_576)}"`, 413],
  ])("refuses at %s what it cannot answer, in OpenAI's form: %#", async (path, sent, status) => {
    const answered = await post(path, sent);
    expect(answered.status).toBe(status);
    expect(answered.body).toEqual({
      error: {
        message: expect.any(String),
        type: "invalid_request_error",
        param: expect.toBeOneOf([null, expect.any(String)]),
        code: expect.toBeOneOf([null, expect.any(String)]),
      },
    });
  });
});

describe("embeddings", () => {
  it("put texts on the same matter nearer than others, at length 1", async () => {
    const [one = [], near = [], far = []] = await embed(
      "How do I reset my password?",
      "Resetting passwords takes a minute.",
      "Our bakery sells rye bread.",
    );
    expect(dot(one, one)).toBeCloseTo(1, 4);
    expect(dot(one, near)).toBeGreaterThan(dot(one, far) + 0.2);
  });

  it("are the same in both encodings, and as long as wanted", async () => {
    const input = "same text";
    const request = { model: SMALL, input, dimensions: 64 };
    const plain = await client.embeddings.create({ ...request, encoding_format: "float" });
    const packed = await client.embeddings.create(request);
    expect(plain.data[0]?.embedding).toHaveLength(64);
    expect(packed.data[0]?.embedding).toEqual(plain.data[0]?.embedding);
  });
});

it("closes although a client holds a connection over which it never sent anything", async () => {
  const own = await startTestModels([]);
  const silent = connect(Number(new URL(own.url).port), "127.0.0.1");
  await once(silent, "connect");
  // An answer over a later connection: the server knows of the silent one.
  await fetch(`${own.url}/healthz`);
  const cut = once(silent, "close");
  await own.close();
  await cut;
});
