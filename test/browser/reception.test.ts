import type { AxeResults } from "axe-core";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { axe, canOpenBrowser, openBrowser } from "./browser.ts";
import { startTestPlatform, type TestPlatform } from "../support/platform.ts";

const PHONE = { width: 390, height: 844 };
const NARROW = { width: 320, height: 640 };
const DESKTOP = { width: 1_280, height: 900 };
const STEP_MS = 120_000;
/** The longest words, the most questions, no notice, and the general one. */
const TRADES = ["dentist", "lawyer", "restaurant", "bakery"];

describe.skipIf(!canOpenBrowser)("a reception page in a browser", () => {
  let platform: TestPlatform;
  let browser: Browser;
  let key: string;
  beforeAll(async () => {
    [platform, browser] = await Promise.all([startTestPlatform({ pools: [] }), openBrowser()]);
    ({ key } = await platform.account(1_000));
  });
  afterAll(async () => {
    await browser.close();
    await platform.stop();
  });

  async function make(input: object): Promise<{ slug: string; url: string }> {
    const { body } = await platform.request("POST", "/api/call/instant-receptionist", { key, body: input });
    return { slug: body.result.slug, url: `${platform.baseUrl}/r/${body.result.slug}` };
  }

  /** Opens a page, uses it, and expects that nothing went wrong and nothing else was asked for. */
  async function visit(
    url: string,
    options: BrowserContextOptions,
    use: (page: Page) => Promise<void>,
  ): Promise<void> {
    const context = await browser.newContext(options);
    context.setDefaultTimeout(STEP_MS);
    const page = await context.newPage();
    const loaded: string[] = [];
    const faults: string[] = [];
    page.on("request", (request) => void loaded.push(request.url()));
    page.on("console", (message) => void faults.push(message.text()));
    page.on("pageerror", (error) => void faults.push(error.message));
    page.on("dialog", (dialog) => void faults.push(dialog.message()));
    await page.goto(url);
    await use(page);
    await context.close();
    expect(loaded.filter((each) => !each.startsWith(url) && !each.endsWith("/favicon.ico"))).toEqual([]);
    expect(faults.filter((each) => !/status of 400/.test(each))).toEqual([]);
  }

  it.each([
    ["phone", PHONE, "light"],
    ["phone in the dark", PHONE, "dark"],
    ["desktop", DESKTOP, "light"],
    ["desktop in the dark", DESKTOP, "dark"],
  ] as const)("has nothing that axe finds fault with: %s", async (_where, viewport, colorScheme) => {
    const { url } = await make({ trade: "dentist", business: "Bright Smile Dental", area: "Portland, OR" });
    await visit(url, { viewport, colorScheme }, async (page) => {
      expect(await violations(page)).toEqual([]);
      await page.getByLabel("Your name").fill("Ada");
      await page.getByLabel(/^Email/).fill("ada@localhost");
      await page.getByLabel(/^Phone/).fill("no number");
      await page.getByLabel("Toothache").check();
      await page.getByRole("button").click();
      await page.getByRole("alert").waitFor();
      expect(await violations(page)).toEqual([]);
      await page.getByLabel(/^Phone/).fill("555 0100");
      await page.getByRole("button").click();
      await page.getByRole("heading", { name: "Thank you!" }).waitFor();
      expect(await violations(page)).toEqual([]);
    });
  });

  it("has nothing that axe finds fault with whatever the trade, and fits the narrowest phone", async () => {
    for (const trade of TRADES) {
      const business = `${trade} ${"W".repeat(40)}`;
      const { url } = await make({ trade, business, area: "x".repeat(60) });
      await visit(url, { viewport: NARROW }, async (page) => {
        expect(await violations(page), trade).toEqual([]);
        const widest = "document.documentElement.scrollWidth";
        expect(await page.evaluate(widest), trade).toBeLessThanOrEqual(NARROW.width);
      });
    }
  });

  it("works without scripts, by the keyboard", async () => {
    const { slug, url } = await make({ trade: "restaurant", business: "Chez Zoé" });
    await visit(url, { viewport: PHONE, javaScriptEnabled: false }, async (page) => {
      await page.getByLabel("Which day and what time?").focus();
      await page.keyboard.type("Friday, 8 pm");
      await page.keyboard.press("Tab");
      await page.keyboard.press("ArrowRight");
      for (let n = 0; n < 2; n++) await page.keyboard.press("Tab");
      await page.getByLabel("Your name").fill("Ada");
      await page.keyboard.press("Tab");
      await page.keyboard.type("555 0100");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Thank you!" }).waitFor();
    });
    const { body } = await platform.request("GET", `/api/receptionists/${slug}/leads`, { key });
    expect(body.leads[0]).toMatchObject({ name: "Ada", phone: "555 0100" });
    expect(body.leads[0].answers).toEqual([
      { question: "Which day and what time?", answer: "Friday, 8 pm" },
      { question: "How many are you?", answer: "2" },
    ]);
  });

  it("runs nothing that a name brings along", async () => {
    const business = `"><img src=//x.test onerror=alert(1)><script>alert(2)`;
    const { url } = await make({ trade: "</style><script>alert(3)</script>", business, area: business });
    await visit(url, { viewport: DESKTOP }, async (page) => {
      expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe(business);
    });
  });
});

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe?.source ?? "");
  const { violations: found } = (await page.evaluate("axe.run()")) as AxeResults;
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}
