import type { AxeResults } from "axe-core";
import { mkdir } from "node:fs/promises";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { axe, canOpenBrowser, openBrowser } from "./browser.ts";
import { startTestPlatform, type TestPlatform } from "../support/platform.ts";

const NARROW = { width: 320, height: 640 };
const DESKTOP = { width: 1_280, height: 900 };
const STEP_MS = 20_000;
/** Where pictures go, for people to look at; nowhere unless it is asked for. */
const PICTURES = process.env["PICTURES"];

describe.skipIf(!canOpenBrowser)("in a browser", () => {
  let platform: TestPlatform;
  let browser: Browser;
  beforeAll(async () => {
    [platform, browser] = await Promise.all([startTestPlatform({ pools: [] }), openBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await platform.stop();
  });

  /** Opens a page, uses it, and expects that its console stays empty and that it asks nobody else for anything. */
  async function visit(
    path: string,
    options: BrowserContextOptions,
    use: (page: Page) => Promise<void>,
  ): Promise<void> {
    const context = await browser.newContext(options);
    context.setDefaultTimeout(STEP_MS);
    const page = await context.newPage();
    const elsewhere: string[] = [];
    const faults: string[] = [];
    page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(platform.baseUrl) && !url.startsWith("data:") && !url.startsWith("blob:"))
        elsewhere.push(url);
    });
    page.on("console", (message) => void faults.push(`${message.type()}: ${message.text()}`));
    page.on("pageerror", (error) => void faults.push(error.message));
    await page.goto(`${platform.baseUrl}${path}`);
    await use(page);
    if (PICTURES !== undefined) {
      await mkdir(PICTURES, { recursive: true });
      const name = `${path.replaceAll("/", "_")}-${options.viewport?.width}-${options.colorScheme ?? "light"}.png`;
      await page.screenshot({ path: `${PICTURES}/${name}`, fullPage: true });
    }
    await context.close();
    expect(faults).toEqual([]);
    expect(elsewhere).toEqual([]);
  }

  it.each([
    ["wide", DESKTOP, "light"],
    ["wide and dark", DESKTOP, "dark"],
    ["narrow", NARROW, "light"],
    ["narrow and dark", NARROW, "dark"],
  ] as const)(
    "the home page has nothing that axe finds fault with, and fits: %s",
    async (_how, viewport, colorScheme) => {
      await visit("/", { viewport, colorScheme, javaScriptEnabled: true }, async (page) => {
        await page.evaluate(axe?.source ?? "");
        const { violations } = (await page.evaluate("axe.run()")) as AxeResults;
        expect(
          violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`),
        ).toEqual([]);
        const widest = "document.documentElement.scrollWidth";
        expect(await page.evaluate(widest)).toBeLessThanOrEqual(viewport.width);
      });
    },
  );

  it("the home page leads to the docs and to each capability, with its price", async () => {
    const { body } = await platform.request("GET", "/api/capabilities");
    await visit("/", { viewport: DESKTOP }, async (page) => {
      if (PICTURES !== undefined) await page.screenshot({ path: `${PICTURES}/home.png` });
      expect(await page.getByRole("heading", { level: 3 }).count()).toBe(body.count);
      const forge = page.getByRole("listitem").filter({ hasText: "POST /api/call/cam-forge" });
      expect(await forge.textContent()).toMatch(/15\s+MESH/);
      await page.getByRole("link", { name: "Read the API docs" }).click();
      await page.getByRole("heading", { name: /Meshforge marketplace/ }).waitFor();
    });
  });

  it("the docs page shows its operations without a word in the console", async () => {
    await visit("/docs", { viewport: DESKTOP }, async (page) => {
      await page.getByRole("heading", { name: /Meshforge marketplace/ }).waitFor();
      await page.getByText("/api/call/cam-forge", { exact: true }).first().click();
      await page.getByText("perforated panel").first().waitFor();
    });
  });
});
