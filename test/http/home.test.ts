import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestPlatform, type TestPlatform } from "../support/platform.ts";

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform({ pools: [] });
});
afterAll(async () => {
  await platform.stop();
});

const home = (headers: Readonly<Record<string, string>> = {}, method = "GET") =>
  platform.request(method, "/", { headers });

it.each(["*/*", "application/json", "text/html;q=0.5, application/json", "text/html;q=0, */*", "image/png"])(
  "tells a program where to go: Accept: %s",
  async (accept) => {
    const { status, headers, body } = await home({ accept });
    expect(status).toBe(200);
    expect(headers.get("vary")).toContain("Accept");
    expect(body).toMatchObject({ name: "Meshforge", capabilities: expect.any(Number) });
    for (const name of ["docs_url", "openapi_url", "capabilities_url", "health_url"]) {
      const { pathname } = new URL(body[name]);
      expect((await platform.request("GET", pathname)).status, name).toBe(200);
    }
  },
);

it.each(["text/html", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"])(
  "is a page for a browser, which loads and runs nothing: Accept: %s",
  async (accept) => {
    const { status, headers, body } = await home({ accept });
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain("unsafe");
    expect(body).not.toMatch(/<script|\sstyle="|\son\w+="/);
    expect(body).toContain('href="/docs"');
    expect(body).toContain("/api/call/cam-forge");
  },
);

it("is not sent again to who has it", async () => {
  for (const accept of ["text/html", "application/json"]) {
    const etag = (await home({ accept })).headers.get("etag") ?? "";
    expect((await home({ accept, "if-none-match": etag })).status).toBe(304);
  }
  expect((await home({}, "HEAD")).status).toBe(200);
  expect((await home({}, "POST")).status).toBe(405);
});
