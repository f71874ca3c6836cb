import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { begin, ended, running } from "../support/calls.ts";
import { type FakeModelServer, good, hanging, startModelServer } from "../support/model-server.ts";
import { startTestPlatform, TEST_CAPABILITIES, type TestPlatform } from "../support/platform.ts";
import { until } from "../support/until.ts";

const MAIN = join(import.meta.dirname, "../../src/cli/main.ts");
const PRICE = 2;

let models: FakeModelServer;
let platform: TestPlatform;
const workers: ChildProcess[] = [];
beforeAll(async () => {
  models = await startModelServer();
  platform = await startTestPlatform({ pools: [], env: { OFFLINE_MODELS_URL: models.url } });
});
afterAll(async () => {
  for (const worker of workers) {
    if (worker.exitCode !== null || worker.signalCode !== null) continue;
    worker.kill();
    await once(worker, "exit");
  }
  expect(await platform.database.violations()).toBe(0);
  await platform.stop();
  await models.close();
});

/** A worker process of its own, with a single turn at the tier small among all of them. */
async function startWorker(): Promise<ChildProcess> {
  const { dataDir } = platform.runtime.config;
  const worker = fork(MAIN, ["worker", "brain", "--concurrency", "2"], {
    env: {
      PATH: process.env["PATH"],
      DATA_DIR: dataDir,
      DATABASE_URL: platform.database.url,
      CAPABILITIES_DIR: TEST_CAPABILITIES,
      OFFLINE_MODELS_URL: models.url,
      MODEL_SMALL_CONCURRENCY: "1",
    },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  workers.push(worker);
  await once(worker, "message");
  return worker;
}

it("gives the turn of a worker that is killed to another, and runs the call again", async () => {
  models.behave(hanging);
  const { key } = await platform.account(2 * PRICE);
  const first = await startWorker();
  const interrupted = await begin(platform, key, "test-question", { text: "two words" });
  await until(async () => models.seen.length === 1);
  await startWorker();
  const waiting = await begin(platform, key, "test-question", { text: "one more text" });
  await running(platform, waiting);
  first.kill("SIGKILL");
  models.behave(good);
  for (const call of [waiting, interrupted]) {
    expect(await ended(platform, key, call)).toMatchObject({ outcome: "succeeded" });
  }
  expect(models.mostAtOnce()).toBe(1);
  await until(async () => (await platform.database.owner.query("select from model_slots")).length === 0);
});
