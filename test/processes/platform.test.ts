import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WORKER_POOLS } from "../../src/core/calls/pools.ts";
import { memoryBelow, total } from "../support/memory.ts";
import { meshforge, type ProcessPlatform, startProcesses } from "../support/process-platform.ts";
import { until } from "../support/until.ts";

/** Pages that several processes share counted for each of them, and counted once. */
const IDLE_LIMIT_BYTES = { rss: 450 * 1_048_576, pss: 200 * 1_048_576 };

let platform: ProcessPlatform;
beforeAll(async () => {
  platform = await startProcesses();
});
afterAll(async () => {
  if (platform.supervisor.exitCode === null) await platform.stop();
  await platform.remove();
});

type Answer = { readonly status: number; readonly body: Readonly<Record<string, string | number | null>> };

async function ask(
  method: string,
  path: string,
  options: { key?: string; body?: unknown; prefer?: string } = {},
): Promise<Answer> {
  const response = await fetch(`${platform.run().baseUrl}${path}`, {
    method,
    headers: {
      ...(options.key === undefined ? {} : { authorization: `Bearer ${options.key}` }),
      ...(options.body === undefined ? {} : { "content-type": "application/json" }),
      ...(options.prefer === undefined ? {} : { prefer: options.prefer }),
    },
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
  });
  return { status: response.status, body: (await response.json()) as Answer["body"] };
}

/** Asks until the API answers, as a caller does while it is started again. */
async function askAgain(...args: Parameters<typeof ask>): Promise<Answer> {
  let answer: Answer | undefined;
  await until(async () => {
    answer = await ask(...args).catch(() => undefined);
    return answer !== undefined && answer.status < 500;
  });
  if (answer === undefined) throw new Error("no answer");
  return answer;
}

async function calls(key: string): Promise<readonly unknown[]> {
  return (await ask("GET", "/api/calls", { key })).body["calls"] as unknown as readonly unknown[];
}

const newKey = async (): Promise<string> => String((await askAgain("POST", "/api/accounts")).body["api_key"]);

/** What all processes of the platform hold of memory, in bytes. */
const held = () => total(memoryBelow(platform.supervisor.pid ?? 0));

async function audit(): Promise<{ ok: boolean }> {
  const { child, output } = meshforge(["audit", "--json"], platform.env);
  await new Promise((resolve) => child.once("exit", resolve));
  return JSON.parse(output.stdout) as { ok: boolean };
}

// One platform serves all of these, so they run as they stand, and its end comes last.
describe("the platform as processes", { shuffle: false }, () => {
  it("says once that it is ready, with its addresses and a line to paste", () => {
    const lines = platform
      .stdout()
      .split("\n")
      .filter((line) => line.startsWith("ready"));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(platform.run().baseUrl);
    expect(lines[0]).toContain("curl ");
    expect(lines[0]).toContain("models: offline (meshforge-offline-small, -large, -image)");
  });

  it("names all of its processes in a file that only its owner reads", () => {
    expect(statSync(join(platform.dataDir, "run.json")).mode & 0o777).toBe(0o600);
    const run = platform.run();
    expect(run.processes.map(({ name }) => name).sort()).toEqual([
      "api",
      "offline-models",
      "postgres",
      "worker-all",
    ]);
    expect(run).toMatchObject({ pid: platform.supervisor.pid, redisUrl: null });
    expect(run.processes.find(({ name }) => name === "worker-all")?.pools).toEqual(WORKER_POOLS);
    expect(run.processes.find(({ name }) => name === "api")?.pools).toEqual([]);
  });

  it.runIf(process.platform === "linux")(
    "holds no more than 450 MiB when idle, 200 MiB shared pages counted once",
    async () => {
      expect(held().pss).toBeGreaterThan(0);
      await until(
        () => held().rss <= IDLE_LIMIT_BYTES.rss && held().pss <= IDLE_LIMIT_BYTES.pss,
        () => `it holds ${JSON.stringify(held())}`,
      );
    },
  );

  it("refuses a second start on the same DATA_DIR, and says why", async () => {
    const { child, output } = meshforge(["up"], platform.env);
    expect(await new Promise((resolve) => child.once("exit", resolve))).toBe(1);
    expect(output.stderr).toMatch(/already runs/);
    expect(output.stderr).not.toMatch(/ {4}at /);
  });

  it("runs the call of a killed worker again and charges it once", async () => {
    const key = await newKey();
    const { body } = await ask("POST", "/api/call/test-work", {
      key,
      body: { mode: "sleep", ms: 4_000 },
      prefer: "wait=0",
    });
    await until(
      async () => (await ask("GET", `/api/calls/${body["call_id"]}`, { key })).body["status"] !== "queued",
    );
    process.kill(platform.pidOf("worker-all"), "SIGKILL");
    const ended = await ask("GET", `/api/calls/${body["call_id"]}?wait=120`, { key });
    expect(ended.body).toMatchObject({ status: "succeeded", balance: 98 });
  });

  it("takes a killed database as a pause", async () => {
    const key = await newKey();
    process.kill(platform.pidOf("postgres"), "SIGKILL");
    const { status, body } = await askAgain("POST", "/api/call/test-work", { key, body: { text: "after" } });
    expect(status).toBe(200);
    expect(body).toMatchObject({ result: { text: "after" } });
  });

  it("starts a killed server of offline models again where it was", async () => {
    process.kill(platform.pidOf("offline-models"), "SIGKILL");
    const key = await newKey();
    const { status, body } = await askAgain("POST", "/api/call/task-analysis", {
      key,
      body: { task: "Delete the old production database tonight." },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ result: { model: "meshforge-offline-small" } });
  });

  it("goes on with a queued call while the API is killed and started again", async () => {
    const key = await newKey();
    const { body } = await ask("POST", "/api/call/test-work", {
      key,
      body: { mode: "sleep", ms: 500 },
      prefer: "wait=0",
    });
    process.kill(platform.pidOf("api"), "SIGKILL");
    const ended = await askAgain("GET", `/api/calls/${body["call_id"]}?wait=120`, { key });
    expect(ended.body).toMatchObject({ status: "succeeded" });
  });

  it("holds every invariant after all of that", async () => {
    expect(await audit()).toMatchObject({ ok: true });
  });

  it("lets what runs end when it is stopped, and leaves nothing behind", async () => {
    const key = await newKey();
    const waiting = ask("POST", "/api/call/test-work", { key, body: { mode: "sleep", ms: 800 } });
    await until(async () => (await calls(key)).length === 1);
    const postgres = platform.pidOf("postgres");
    const [code, answer] = await Promise.all([platform.stop(), waiting]);
    expect(code).toBe(0);
    expect([200, 202]).toContain(answer.status);
    expect(existsSync(join(platform.dataDir, "run.json"))).toBe(false);
    expect(() => process.kill(postgres, 0)).toThrow();
  });
});
