import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium } from "playwright-core";

const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

/** A Chromium that is installed, or undefined; in CI that is an error. */
export const chromiumPath = findChromium();

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
  if (chromiumPath === undefined) throw new Error("There is no chromium.");
  return await chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox", "--disable-gpu"] });
}
