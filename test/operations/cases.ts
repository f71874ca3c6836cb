import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../support/global-setup.ts";
import { holdPort, type Platform, send, until, type World } from "./world.ts";

/** A fault that needs no start is told within this; a busy machine takes its time to load programs. */
const AT_ONCE_MS = 20_000;
const STOP_LIMIT_MS = 30_000;
const RECOVERY_LIMIT_MS = 40_000;
const FROZEN_MS = 4_000;
/** A call that lasts so long, and a stop that does not wait for it. */
const HELD_UP_MS = 19_000;
const HURRIED_LIMIT_MS = 12_000;
const DELIBERATE_MS = 1_500;
/** Moments of a start at which the stop comes. */
const MOMENTS_MS = [150, 700, 1_500, 2_500, 4_000];
const MODEL_CALLS = 24;

/** What is done to a platform, and what must come of it: an assertion that does not hold is a failure. */
export const cases: Readonly<Record<string, (world: World) => Promise<void>>> = {
  "up ends at once when a port is in use, says which, and leaves nothing": async (world) => {
    await world.rest();
    for (const setting of ["PORT", "TOOL_API_PORT", "OPS_PORT"]) {
      const port = Number(world.env[setting]);
      const release = await holdPort(port);
      const up = world.meshforge(["up"]);
      const { code } = await up.ending(AT_ONCE_MS);
      await release();
      assert.equal(code, 1);
      assert.match(up.stderr(), new RegExp(`meshforge: ${setting}: port ${port} on \\S+ is in use\\.`));
      await world.assertNothingRuns();
    }
  },

  "api alone ends at once when a port is in use, and says which": async (world) => {
    const platform = await world.shared();
    const { databaseUrl } = platform.run();
    const free = { PORT: "0", TOOL_API_PORT: "0" };
    const api = world.meshforge(["api"], { ...free, DATABASE_URL: databaseUrl });
    assert.equal((await api.ending(AT_ONCE_MS)).code, 1);
    assert.match(api.stderr(), new RegExp(`meshforge: OPS_PORT: port ${world.env["OPS_PORT"]} on \\S+ is in use\\.`)); // prettier-ignore
  },

  "a Redis that is away at the start hangs neither the start nor the stop": async (world) => {
    await world.rest();
    const up = world.meshforge(["up"], { REDIS_URL: `redis://127.0.0.1:${await freePort()}` });
    await until(() => up.stdout().includes("ready  ") || up.stderr().includes("meshforge: "), RECOVERY_LIMIT_MS * 2, () => `neither ready nor ended: ${up.stderr()}`); // prettier-ignore
    up.killGroup("SIGTERM");
    await up.ending(STOP_LIMIT_MS);
    await world.assertNothingRuns();
  },

  "a SIGTERM to the process group lets what runs end, and leaves nothing": async (world) => {
    await drainsOn(world, (platform) => platform.killGroup("SIGTERM"));
  },

  "a SIGTERM to every single process, sent twice, lets what runs end, and leaves nothing": async (world) => {
    await drainsOn(world, () => {
      const all = world.processes();
      for (const pid of [...all, ...all]) send(pid, "SIGTERM");
    });
  },

  "a Ctrl-C in the terminal lets what runs end, and leaves nothing": async (world) => {
    await drainsOn(world, (platform) => platform.killGroup("SIGINT"));
  },

  "a second Ctrl-C a while later waits for nothing more, and leaves nothing": async (world) => {
    await world.rest();
    const platform = await world.up({ DRAIN_MS: String(2 * HELD_UP_MS) });
    await runningCall(platform, HELD_UP_MS);
    platform.killGroup("SIGINT");
    await sleep(DELIBERATE_MS);
    const { processes } = platform.run();
    assert.ok(
      processes.some(({ name }) => name === "worker-all"),
      "the first one did not wait",
    );
    platform.killGroup("SIGINT");
    await platform.ending(HURRIED_LIMIT_MS);
    await world.assertNothingRuns();
  },

  "a SIGTERM during the start is heard at once, and leaves nothing": async (world) => {
    await world.rest();
    for (const momentMs of MOMENTS_MS) {
      const up = world.meshforge(["up"]);
      await sleep(momentMs);
      up.killGroup("SIGTERM");
      await up.ending(AT_ONCE_MS);
      await world.assertNothingRuns();
    }
  },

  "a stop fails no call that asks a model": async (world) => {
    const platform = await world.taken();
    const key = await platform.newKey();
    const ids = await Promise.all(
      Array.from({ length: MODEL_CALLS }, async (_, n) => {
        const body = { task: `Delete the old production database number ${n} tonight.` };
        const answer = await platform.ask("POST", "/api/call/task-analysis", { key, body, prefer: "wait=0" });
        return typeof answer.body["call_id"] === "string" ? [answer.body["call_id"]] : [];
      }),
    );
    await stopInOrder(world, platform, () => platform.killGroup("SIGTERM"));
    const again = await world.shared();
    for (const id of ids.flat()) {
      const { body } = await again.ask("GET", `/api/calls/${id}?wait=20`, { key });
      assert.equal(body["status"], "succeeded", JSON.stringify(body));
    }
  },

  "a killed worker's call is run again": async (world) => {
    const platform = await world.shared();
    const { key, id } = await runningCall(platform, 1_000);
    send(platform.pidOf("worker-all"), "SIGKILL");
    await succeeds(platform, key, id);
  },

  "a killed API is started again where it was": async (world) => {
    const platform = await world.shared();
    const { key, id } = await runningCall(platform, 500);
    send(platform.pidOf("api"), "SIGKILL");
    await succeeds(platform, key, id);
  },

  "a killed supervisor leaves a database that the next start takes over": async (world) => {
    const killed = await world.taken();
    const { key, id } = await runningCall(killed, 500);
    const postgres = killed.pidOf("postgres");
    send(killed.run().pid, "SIGKILL");
    await killed.ending(STOP_LIMIT_MS);
    const platform = await world.shared();
    assert.equal(platform.pidOf("postgres"), postgres);
    await succeeds(platform, key, id);
  },

  "a database that is frozen for some seconds is a pause": async (world) => {
    const platform = await world.shared();
    const { key, id } = await runningCall(platform, 1_000);
    const frozen = world.processes().filter((pid) => !isNode(platform, pid));
    for (const pid of frozen) send(pid, "SIGSTOP");
    await sleep(FROZEN_MS);
    for (const pid of frozen) send(pid, "SIGCONT");
    await succeeds(platform, key, id);
  },

  "a database that was killed is a pause": async (world) => {
    const platform = await world.shared();
    const { key, id } = await runningCall(platform, 1_000);
    send(platform.pidOf("postgres"), "SIGKILL");
    await succeeds(platform, key, id);
  },

  "a model server that was away is asked again": async (world) => {
    const platform = await world.shared();
    const key = await platform.newKey();
    send(platform.pidOf("offline-models"), "SIGKILL");
    await until(
      async () => {
        const body = { task: "Delete the old production database tonight." };
        const { body: call } = await platform.ask("POST", "/api/call/task-analysis", { key, body });
        return call["status"] === "succeeded";
      },
      RECOVERY_LIMIT_MS,
      () => "no call succeeded",
    );
  },
};

/** Stops a platform while a call runs, and looks whether the call was allowed to end. */
async function drainsOn(world: World, stop: (platform: Platform) => void): Promise<void> {
  const platform = await world.taken();
  const { key, id } = await runningCall(platform, 2_500);
  await stopInOrder(world, platform, () => stop(platform));
  const { body } = await (await world.shared()).ask("GET", `/api/calls/${id}`, { key });
  // Had its worker been cut off, the call would wait for its lease to run out or run again now.
  assert.equal(body["status"], "succeeded", JSON.stringify(body));
}

async function stopInOrder(world: World, platform: Platform, stop = () => platform.kill("SIGTERM")) {
  stop();
  const { code, signal } = await platform.ending(STOP_LIMIT_MS);
  assert.deepEqual({ code, signal }, { code: 0, signal: null }, platform.stderr());
  await world.assertNothingRuns();
}

/** A call of the pool `brain` that runs for so long. */
async function runningCall(platform: Platform, ms: number): Promise<{ key: string; id: string }> {
  const key = await platform.newKey();
  const { body } = await platform.ask("POST", "/api/call/test-long", {
    key,
    body: { ms },
    prefer: "wait=0",
  });
  const id = String(body["call_id"]);
  const status = async () => (await platform.ask("GET", `/api/calls/${id}`, { key })).body["status"];
  await until(
    async () => (await status()) !== "queued",
    RECOVERY_LIMIT_MS,
    () => "no worker runs the call",
  );
  return { key, id };
}

async function succeeds(platform: Platform, key: string, id: string): Promise<void> {
  let last: unknown;
  await until(
    async () => {
      last = await platform.ask("GET", `/api/calls/${id}?wait=2`, { key }).catch(String);
      return typeof last === "object" && (last as { body: { status?: unknown } }).body.status === "succeeded";
    },
    RECOVERY_LIMIT_MS,
    () => `the call did not succeed: ${JSON.stringify(last)}`,
  );
}

const isNode = (platform: Platform, pid: number): boolean =>
  pid === platform.pid ||
  pid === platform.run().pid ||
  platform.run().processes.some((process) => process.name !== "postgres" && process.pid === pid);
