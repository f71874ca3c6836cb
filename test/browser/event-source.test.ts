import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { canOpenBrowser, openBrowser } from "./browser.ts";
import { ASYNC } from "../support/calls.ts";
import { startTestPlatform, type TestPlatform } from "../support/platform.ts";

/** A page that follows a call and notes what it is told, as anybody may write one. */
const PAGE = `<!doctype html><script>
  const seen = [];
  const source = new EventSource(new URLSearchParams(location.search).get("follow"));
  for (const type of ["status", "progress", "completed", "failed"])
    source.addEventListener(type, (event) => seen.push([event.lastEventId, type, JSON.parse(event.data)]));
</script>`;

describe.skipIf(!canOpenBrowser)("EventSource in a browser", () => {
  let platform: TestPlatform;
  let browser: Browser;
  const pages = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end(PAGE);
  });
  beforeAll(async () => {
    [platform, browser] = await Promise.all([startTestPlatform(), openBrowser()]);
    await new Promise<void>((resolve) => pages.listen(0, "127.0.0.1", resolve));
  });
  afterAll(async () => {
    await browser.close();
    await new Promise((resolve) => pages.close(resolve));
    await platform.stop();
  });

  it("follows a call by its stream_url from a page of another origin, and stops at its end", async () => {
    const { key } = await platform.account(10);
    const { body } = await platform.request("POST", "/api/call/test-work", {
      key,
      body: { mode: "steps", text: "done" },
      headers: ASYNC,
    });
    const streamUrl: string = body.stream_url.replace(/^.*(?=\/api\/)/, platform.baseUrl);
    const origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
    const page = await browser.newPage();
    const faults: string[] = [];
    page.on("console", (message) => void faults.push(message.text()));
    page.on("pageerror", (error) => void faults.push(error.message));
    await page.goto(`${origin}/?follow=${encodeURIComponent(streamUrl)}`);
    await page.waitForFunction("source.readyState === EventSource.CLOSED");
    const seen = (await page.evaluate("seen")) as [string, string, Record<string, unknown>][];
    expect(seen.map(([id, type]) => `${id} ${type}`)).toEqual([
      "1 status",
      "2 status",
      ...[3, 4, 5, 6, 7].map((id) => `${id} progress`),
      "8 completed",
    ]);
    expect(seen.at(-1)?.[2]).toMatchObject({ call_id: body.call_id, result: { text: "done" } });
    expect(faults).toEqual([]);
  });
});
