import { expect, it } from "vitest";
import { loadConfig } from "../../../src/platform/config.ts";

it("names no semantic memory server by default", () => {
  expect(loadConfig({}).memory).toBeNull();
});

it("takes a server with and without a key", () => {
  expect(loadConfig({ MEMORY_URL: "http://127.0.0.1:7000/" }).memory).toEqual({
    url: "http://127.0.0.1:7000",
    apiKey: null,
  });
  expect(loadConfig({ MEMORY_URL: "https://memory.test/api", MEMORY_API_KEY: "k-1" }).memory).toEqual({
    url: "https://memory.test/api",
    apiKey: "k-1",
  });
});

it.each([
  { MEMORY_API_KEY: "k-1" },
  { MEMORY_URL: "ftp://memory.test" },
  { MEMORY_URL: "https://user:word@memory.test" },
  { MEMORY_URL: "https://memory.test", MEMORY_API_KEY: "two\r\nlines" },
])("refuses %j", (env) => {
  expect(() => loadConfig(env)).toThrow(/MEMORY_/);
});
