import { describe, expect, it } from "vitest";
import { loadConfig } from "../../../src/platform/config.ts";
import type { ModelServer } from "../../../src/adapters/models/config.ts";
import { MODEL_TIERS, type ModelTier } from "../../../src/core/models/models.ts";

const HOSTED = "https://api.openai.com/v1";
const OLLAMA = "http://localhost:11434/v1";
const KEY = "sk-secret";

const serverOf = (tier: ModelTier, env: Readonly<Record<string, string>>): ModelServer | null =>
  loadConfig(env).models.tiers[tier].server;

describe("without any setting", () => {
  it("no tier has a server", () => {
    expect(MODEL_TIERS.map((tier) => serverOf(tier, {}))).toEqual([null, null, null]);
  });

  it("the tiers take the offline server as soon as its address is known", () => {
    for (const OFFLINE_MODELS_URL of ["http://127.0.0.1:5", "http://127.0.0.1:5/", "http://127.0.0.1:5/v1"]) {
      expect(serverOf("image", { OFFLINE_MODELS_URL })).toEqual({
        baseUrl: "http://127.0.0.1:5/v1",
        apiKey: null,
        model: "meshforge-offline-image",
      });
    }
  });

  it("a key alone, as it lies in many an environment, configures nothing", () => {
    expect(MODEL_TIERS.map((tier) => serverOf(tier, { OPENAI_API_KEY: KEY }))).toEqual([null, null, null]);
  });
});

describe("a tier", () => {
  it("with a model's name goes to the hosted service when there is a key", () => {
    const env = { OPENAI_API_KEY: KEY, MODEL_SMALL: "a", MODEL_IMAGE: "b" };
    expect(serverOf("small", env)).toEqual({ baseUrl: HOSTED, apiKey: KEY, model: "a" });
    expect(serverOf("image", env)).toEqual({ baseUrl: HOSTED, apiKey: KEY, model: "b" });
  });

  it("goes to the shared server where one is named", () => {
    const env = { OPENAI_BASE_URL: `${OLLAMA}/`, OPENAI_API_KEY: KEY, MODEL_LARGE: "a" };
    expect(serverOf("large", env)).toEqual({ baseUrl: OLLAMA, apiKey: KEY, model: "a" });
  });

  it("goes to its own server where it has one, and shows it no other's key", () => {
    const env = { OPENAI_API_KEY: KEY, MODEL_SMALL: "a", MODEL_SMALL_BASE_URL: OLLAMA, MODEL_LARGE: "b" };
    expect(serverOf("small", env)).toEqual({ baseUrl: OLLAMA, apiKey: null, model: "a" });
    expect(serverOf("large", env)).toEqual({ baseUrl: HOSTED, apiKey: KEY, model: "b" });
    expect(serverOf("small", { ...env, MODEL_SMALL_API_KEY: "own" })?.apiKey).toBe("own");
  });

  it("for text takes the name of the other, where only one is given and both go to the shared server", () => {
    expect(serverOf("large", { OPENAI_BASE_URL: OLLAMA, MODEL_SMALL: "a" })?.model).toBe("a");
    expect(serverOf("small", { OPENAI_BASE_URL: OLLAMA, MODEL_LARGE: "b" })?.model).toBe("b");
    const apart = {
      OPENAI_BASE_URL: OLLAMA,
      MODEL_SMALL: "a",
      MODEL_SMALL_BASE_URL: "http://localhost:8000/v1",
    };
    expect(serverOf("large", apart)?.model).toBe("default");
  });

  it("for text takes any model of a server that is named without one", () => {
    expect(serverOf("small", { OPENAI_BASE_URL: OLLAMA })).toEqual({
      baseUrl: OLLAMA,
      apiKey: null,
      model: "default",
    });
  });

  it("for images stays with the offline server unless its model is named: few servers of words draw", () => {
    const env = { OPENAI_BASE_URL: OLLAMA, MODEL_SMALL: "a", OFFLINE_MODELS_URL: "http://127.0.0.1:5" };
    expect(serverOf("small", env)?.model).toBe("a");
    expect(serverOf("image", env)?.model).toBe("meshforge-offline-image");
    expect(serverOf("image", { ...env, MODEL_IMAGE: "c" })).toEqual({
      baseUrl: OLLAMA,
      apiKey: null,
      model: "c",
    });
  });

  it("has limits of its own", () => {
    const { small, large } = loadConfig({ MODEL_LARGE_CONCURRENCY: "9", MODEL_SMALL_TIMEOUT_MS: "1234" })
      .models.tiers;
    expect(small).toMatchObject({ concurrency: 16, timeoutMs: 1234 });
    expect(large).toMatchObject({ concurrency: 9, timeoutMs: 55_000 });
  });
});

describe("a setting is refused", () => {
  it("that names a model and no server, with what to set", () => {
    expect(() => loadConfig({ MODEL_LARGE: "a" })).toThrow(/MODEL_LARGE .*MODEL_LARGE_BASE_URL/);
  });

  it.each([
    ["OPENAI_BASE_URL", "ftp://x"],
    ["MODEL_SMALL_BASE_URL", "http://user:secret@x/v1"],
    ["OPENAI_API_KEY", "sk secret"],
    ["MODEL_IMAGE_API_KEY", "sk-secret\nX-Other: secret"],
    ["MODEL_SMALL_CONCURRENCY", "0"],
    ["MODEL_LARGE_TIMEOUT_MS", "99999999"],
  ])("%s=%s, without its value", (name, value) => {
    expect(() => loadConfig({ [name]: value })).toThrow(name);
    expect(() => loadConfig({ [name]: value })).toThrow(/^(?![\s\S]*secret)/);
  });
});
