import { rm } from "node:fs/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { newRoot, writeCapability } from "../core/capability-folders.ts";
import { startTestPlatform, type TestPlatform } from "../support/platform.ts";

let platform: TestPlatform;
let root: string;
beforeAll(async () => {
  root = await newRoot();
  await writeCapability(root, "brand-new", { pool: "inline", price: "mesh(3)" });
  await writeCapability(root, "brand-new-queued", { pool: "brain", price: "mesh(4)" });
  platform = await startTestPlatform({ env: { CAPABILITIES_DIR: root } });
});
afterAll(async () => {
  expect(await platform.database.violations()).toBe(0);
  await platform.stop();
  await rm(root, { recursive: true });
});

it.each([
  ["brand-new", 3],
  ["brand-new-queued", 4],
])(
  "adding the folder %s is all that it takes to list, describe, charge and run a capability",
  async (slug, price) => {
    const { key } = await platform.account(10);
    const entry = await platform.request("GET", `/api/capabilities/${slug}`);
    expect(entry.body).toMatchObject({ slug, price, calls: 0 });
    const { body: document } = await platform.request("GET", "/openapi.json");
    expect(document.paths).toHaveProperty([`/api/call/${slug}`]);
    const { status, body } = await platform.request("POST", `/api/call/${slug}`, {
      key,
      body: { text: "hello" },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ ok: true, slug, result: { text: "hello" }, price, balance: 10 - price });
  },
);
