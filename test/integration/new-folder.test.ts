import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { entries } from "../support/calls.ts";
import { startTestPlatform, type TestPlatform } from "../support/platform.ts";

/** Inside the tree, so that the new capability imports what every other one does. */
const PARENT = join(import.meta.dirname, "..");

let root: string;
let platform: TestPlatform;
beforeAll(async () => {
  root = await mkdtemp(join(PARENT, ".tmp-capabilities-"));
  await addCapability("test-shout", "brain", 7, "text.toUpperCase()");
  await addCapability("test-reverse", "cam", 7, '[...text].reverse().join("")');
  await addCapability("test-free", "brain", 0, "JSON.parse(text) as string");
  await addCapability("test-free-inline", "inline", 0, "JSON.parse(text) as string");
  platform = await startTestPlatform({ env: { CAPABILITIES_DIR: root } });
});
afterAll(async () => {
  expect(await platform.database.violations()).toBe(0);
  await platform.stop();
  await rm(root, { recursive: true, force: true });
});

/** Writes the three files of a capability, and nothing else anywhere. */
async function addCapability(slug: string, pool: string, price: number, result: string): Promise<void> {
  const folder = join(root, slug);
  await mkdir(folder);
  await writeFile(
    join(folder, "index.ts"),
    `import { z } from "zod";
import { defineCapability, mesh } from "../../../src/core/catalog/define.ts";

export default defineCapability({
  slug: "${slug}",
  version: "2.1.0",
  name: "Added by a folder",
  category: "tooling",
  summary: "Was not there before.",
  offers: [{ surface: "marketplace", price: mesh(${price}) }],
  pool: "${pool}",
  profile: { deterministic: true, typicalMs: 1, maximumMs: 100, sideEffects: [] },
  input: z.object({ text: z.string().min(1) }),
  output: z.object({ text: z.string() }),
});
`,
  );
  await writeFile(
    join(folder, "handler.ts"),
    `import { defineHandler } from "../../../src/core/catalog/define.ts";
import declaration from "./index.ts";

export default defineHandler(declaration, ({ text }) => ({ text: ${result} }));
`,
  );
  const vectors = ["a", "b", "c"].map((text) => ({ input: { text }, expect: {} }));
  await writeFile(join(folder, "vectors.json"), JSON.stringify(vectors));
}

for (const [slug, result] of [
  ["test-shout", "HELLO"],
  ["test-reverse", "olleh"],
] as const) {
  it(`calls, charges and describes ${slug}, for which only a folder was added`, async () => {
    const { id, key } = await platform.account(10);
    const { status, body } = await platform.request("POST", `/api/call/${slug}`, {
      key,
      body: { text: "hello" },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ slug, result: { text: result }, price: 7, balance: 3 });
    expect(await entries(platform, id)).toEqual([["charge", -7]]);
    const refused = await platform.request("POST", `/api/call/${slug}`, { key, body: {} });
    expect(refused).toMatchObject({
      status: 400,
      body: { error: "invalid_input", issues: [{ path: "text" }] },
    });

    const shown = await platform.request("GET", `/api/capabilities/${slug}`);
    expect(shown.status).toBe(200);
    expect(JSON.stringify(shown.body)).toContain("Was not there before.");
    const listed = await platform.request("GET", "/api/capabilities");
    expect(listed.body.capabilities.map((each: { slug: string }) => each.slug)).toContain(slug);
    const { body: openapi } = await platform.request("GET", "/openapi.json");
    expect(openapi.paths[`/api/call/${slug}`].post.summary).toContain("7 MESH");
  });
}

for (const slug of ["test-free", "test-free-inline"]) {
  it(`books nothing for ${slug}, which costs nothing, and refunds nothing`, async () => {
    const { id, key } = await platform.account(0);
    const good = await platform.request("POST", `/api/call/${slug}`, { key, body: { text: '"free"' } });
    expect(good).toMatchObject({ status: 200, body: { result: { text: "free" }, price: 0, balance: 0 } });
    const bad = await platform.request("POST", `/api/call/${slug}`, { key, body: { text: "{" } });
    expect(bad).toMatchObject({ status: 500, body: { status: "failed", refunded: false, price: 0 } });
    expect(await entries(platform, id)).toEqual([]);
  });
}
