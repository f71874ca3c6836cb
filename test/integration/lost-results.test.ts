import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { entries } from "../support/calls.ts";
import { type Answer, startTestPlatform, type TestPlatform } from "../support/platform.ts";

let dataDir: string;
let platform: TestPlatform;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "meshforge-lost-results-"));
  platform = await startTestPlatform({ env: { DATA_DIR: dataDir } });
});
afterAll(async () => {
  expect(await platform.database.violations()).toBe(0);
  await platform.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** The answer names the call, and promises nothing of its money that is not so. */
function expectNamed(answer: Answer, callId: string): void {
  expect(answer).toMatchObject({ status: 500, body: { error: "internal_error", call_id: callId } });
  expect(answer.body.message).toMatch(/was made and is charged/);
  expect(answer.body.message).not.toMatch(/nothing was charged/i);
}

async function loseAllFiles(): Promise<void> {
  const folder = join(dataDir, "artifacts");
  expect(await readdir(folder)).not.toEqual([]);
  await rm(folder, { recursive: true });
}

it("names a paid call whose stored result is gone", async () => {
  const { id, key } = await platform.account(10);
  const headers = { "idempotency-key": "one" };
  const make = () =>
    platform.request("POST", "/api/call/test-work", { key, body: { mode: "large" }, headers });
  const { status, body } = await make();
  expect(status).toBe(200);
  await loseAllFiles();
  expectNamed(await platform.request("GET", `/api/calls/${body.call_id}`, { key }), body.call_id);
  expectNamed(await make(), body.call_id);
  expectNamed(await platform.request("GET", `/api/calls/${body.call_id}/events`, { key }), body.call_id);
  expect((await entries(platform, id)).map(([kind]) => kind)).toEqual(["charge"]);
});

it("names a call that was settled and then could not be read", async () => {
  const { id, key } = await platform.account(10);
  const read = vi.spyOn(platform.services.calls, "read").mockRejectedValueOnce(new Error("a bug"));
  try {
    const answer = await platform.request("POST", "/api/call/test-work", { key, body: {} });
    expectNamed(answer, answer.body.call_id);
    expect(JSON.stringify(answer.body)).not.toContain("a bug");
    expect(await entries(platform, id)).toHaveLength(1);
  } finally {
    read.mockRestore();
  }
});

it("says nothing of money where it knows of no call", async () => {
  const { key } = await platform.account(10);
  const start = vi.spyOn(platform.services.calls, "start").mockRejectedValueOnce(new Error("a bug"));
  try {
    const answer = await platform.request("POST", "/api/call/test-work", { key, body: {} });
    expect(answer).toMatchObject({ status: 500, body: { error: "internal_error" } });
    expect(answer.body.message).not.toMatch(/charge|refund|paid/i);
  } finally {
    start.mockRestore();
  }
});
