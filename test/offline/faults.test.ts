import OpenAI from "openai";
import sharp from "sharp";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { type Fault, startTestModels } from "../support/offline-server.ts";

const models = await startTestModels();
afterAll(() => models.close());
beforeEach(() => models.behave());

const client = new OpenAI({ baseURL: `${models.url}/v1`, apiKey: "none", maxRetries: 0 });
const say = (timeout = 120_000) =>
  client.chat.completions.create(
    { model: "meshforge-offline-small", messages: [{ role: "user", content: "1 + 1 =" }] },
    { timeout },
  );
const drawCat = async (): Promise<Buffer> => {
  const images = await client.images.generate({
    model: "meshforge-offline-image",
    prompt: "a cat",
    n: 1,
    size: "256x256",
  });
  return Buffer.from(images.data?.[0]?.b64_json ?? "", "base64");
};

describe("an order", () => {
  it.each<[Fault, number]>([
    ["429", 429],
    ["500", 500],
  ])("of %s is answered so", async (fault, status) => {
    models.order({ fault, retryAfterS: 7 });
    const error = await say().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ status });
    expect((error as InstanceType<typeof OpenAI.APIError>).headers?.get("retry-after")).toBe(
      fault === "429" ? "7" : null,
    );
  });

  it("of hang leaves the caller waiting", async () => {
    models.order({ fault: "hang" });
    await expect(say(100)).rejects.toThrow(OpenAI.APIConnectionTimeoutError);
  });

  it("of slow answers well, later", async () => {
    models.order({ fault: "slow", delayMs: 60 });
    const start = performance.now();
    expect((await say()).choices[0]?.message.content).toContain("1 + 1 = 2");
    expect(performance.now() - start).toBeGreaterThan(50);
  });

  it.each<Fault>(["malformed json", "wrong schema"])(
    "of %s gives a content that is no answer",
    async (fault) => {
      models.order({ fault });
      const content = (await say()).choices[0]?.message.content ?? "";
      if (fault === "wrong schema") expect(JSON.parse(content)).toHaveProperty("unexpected");
      else expect(() => JSON.parse(content)).toThrow(SyntaxError);
    },
  );

  it.each<Fault>(["die", "garbage"])("of %s gives no answer at all", async (fault) => {
    models.order({ fault });
    await expect(say()).rejects.toThrow();
  });

  it("of an empty or broken image gives what no decoder takes", async () => {
    models.order({ fault: "empty image", times: 1 });
    models.order({ fault: "broken image", times: 1 });
    expect((await drawCat()).byteLength).toBe(0);
    await expect(sharp(await drawCat()).toBuffer()).rejects.toThrow();
    expect(await sharp(await drawCat()).metadata()).toMatchObject({ format: "png", width: 256 });
  });

  it("holds for as many requests as it says, and for its model only", async () => {
    models.order({ fault: "500", times: 1, model: "meshforge-offline-small" });
    expect((await drawCat()).byteLength).toBeGreaterThan(0);
    await expect(say()).rejects.toMatchObject({ status: 500 });
    expect((await say()).choices).toHaveLength(1);
    expect(models.taken.at(-1)).toMatchObject({ path: "/v1/chat/completions" });
  });
});
