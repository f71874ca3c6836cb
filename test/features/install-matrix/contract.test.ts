import { describe, expect, it } from "vitest";
import { z } from "zod";
import handler from "../../../src/features/install-matrix/handler.ts";
import installMatrix from "../../../src/features/install-matrix/index.ts";
import { parseInput } from "../../../src/core/catalog/input.ts";
import { testedCapability } from "../../support/capability.ts";
import { matches } from "../../../src/core/catalog/vectors.ts";
import { handlerContext } from "../../support/handler-context.ts";

const { vectors } = await testedCapability("install-matrix");
const context = handlerContext();
const answer = async (body: Record<string, unknown>): Promise<unknown> => {
  const input = installMatrix.input.parse(parseInput(installMatrix, body));
  return installMatrix.output.parse(await handler(input, context));
};

describe("the contract", () => {
  it.each(vectors)("holds for the golden vector: $name", async ({ input, expect: expected }) => {
    expect(matches(await answer(input), expected)).toBe(true);
  });

  it("reads the address from server_url, then url, then serverUrl", async () => {
    const body = { server_url: "", url: " https://a.test/mcp ", serverUrl: "https://b.test/mcp" };
    expect(await answer(body)).toMatchObject({ server: { url: "https://a.test/mcp" } });
    expect(await answer({ serverUrl: "https://b.test/mcp" })).toMatchObject({ server: { name: "b-test" } });
  });

  it.each([
    "not a url",
    "//a.test/mcp",
    "javascript:alert(1)",
    "file:///etc/passwd",
    "https://",
    `https://a.test/${"x".repeat(3_000)}`,
  ])("answers %s, which is no http address, with ok: false", async (address) => {
    expect(await answer({ server_url: address })).toEqual({
      ok: false,
      error: expect.stringContaining("http"),
    });
  });

  it.each([
    {},
    { server_url: "" },
    { server_url: "  " },
    { server_url: 5 },
    { server_url: "https://a.test", name: 5 },
  ])("refuses %j", (body) => {
    expect(() => parseInput(installMatrix, body)).toThrow(expect.objectContaining({ code: "invalid_input" }));
  });

  it.each([{ transport: 5, auth: [] }, { transport: "SSE?", auth: "" }, { transport: null, auth: null }, {}])(
    "falls back where transport and auth are %j",
    async (rest) => {
      expect(await answer({ server_url: "https://a.test/mcp", ...rest })).toMatchObject({
        server: { transport: "streamable-http", auth: "none" },
      });
    },
  );

  it("counts its clients", async () => {
    const { clients, count } = (await answer({ server_url: "https://a.test/mcp" })) as {
      clients: unknown[];
      count: number;
    };
    expect(count).toBe(clients.length);
  });

  it("can be shown as JSON Schema", () => {
    expect(z.toJSONSchema(installMatrix.input, { io: "input" })).toMatchObject({ required: ["server_url"] });
  });
});
