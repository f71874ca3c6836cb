import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import type Axe from "axe-core";
import type { Browser, BrowserType } from "playwright-core";
import { ciPackage } from "../support/ci-package.ts";

const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
const SKIPPED = "the pages in a browser";

const playwright = await ciPackage<{ readonly chromium: BrowserType }>("playwright-core", SKIPPED);
const chromiumPath = findChromium();

/** Finds faults in a page that keep people out; null where it is not installed. */
export const axe = (await ciPackage<{ readonly default: typeof Axe }>("axe-core", SKIPPED))?.default ?? null;

/** Whether there is all that pages are looked at with: a Chromium, and what drives it. */
export const canOpenBrowser = playwright !== null && axe !== null && chromiumPath !== undefined;

/** A Chromium that is installed, or undefined; in CI that is an error. */
function findChromium(): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const found = NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync);
  if (found === undefined && process.env["CI"] !== undefined) {
    throw new Error("CI needs chromium: the pages are looked at in it.");
  }
  return found;
}

/** Starts it without a window. Its sandbox needs rights that a container and root do not give; it loads our own pages. */
export async function openBrowser(): Promise<Browser> {
  if (playwright === null || chromiumPath === undefined) throw new Error("There is no browser.");
  return await playwright.chromium.launch({
    executablePath: chromiumPath,
    args: ["--no-sandbox", "--disable-gpu"],
  });
}
