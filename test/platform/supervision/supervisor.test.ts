import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished, vi } from "vitest";
import type { RunningProcess } from "../../../src/platform/embedded/run-file.ts";
import { isAlive } from "../../../src/platform/embedded/process-table.ts";
import type { ChildSpec, Supervisor } from "../../../src/platform/supervision/supervisor.ts";
import { supervise } from "../../../src/platform/supervision/supervisor.ts";
import { until } from "../../support/until.ts";

/** Longer than any test may take. */
const FAR_OFF_MS = 100_000;
const ENTRY = fileURLToPath(new URL("child-program.ts", import.meta.url));
const SUPERVISOR = fileURLToPath(new URL("supervisor-program.ts", import.meta.url));
type Observed = Supervisor & { processes: readonly RunningProcess[]; lines: string[] };

it("is there when all children are ready, and tells which processes they are", async () => {
  const observed = await start([
    { name: "api", pools: [], args: ["serve", "api"], env: { FLAVOUR: "plain" } },
    { name: "worker-cam", pools: ["cam"], args: ["serve", "worker"], env: {} },
  ]);
  expect(observed.processes).toMatchObject([
    { name: "api", pools: [] },
    { name: "worker-cam", pools: ["cam"] },
  ]);
  expect(observed.info("api")).toEqual({ args: ["serve", "api"], flavour: "plain" });
  expect(observed.info("worker-cam")).toEqual({ args: ["serve", "worker"] });
});

it("starts a child again that dies, and only that one", async () => {
  const observed = await start([child("serve"), child("slow")]);
  const [first, second] = pidsOf(observed) as [number, number];
  process.kill(first, "SIGKILL");
  await until(() => pidsOf(observed).length === 2 && !pidsOf(observed).includes(first));
  expect(pidsOf(observed)).toEqual([expect.any(Number), second]);
  expect(observed.lines).toEqual(["serve ended (SIGKILL) and is started again in 100 ms."]);
});

it("waits longer each time that a child dies young", async () => {
  const observed = await start([child("serve")]);
  for (let times = 1; times <= 3; times += 1) {
    await until(() => pidsOf(observed).length === 1);
    process.kill(pidsOf(observed)[0] as number, "SIGKILL");
    await until(() => observed.lines.length === times);
  }
  expect(observed.lines.map((line) => /in (\d+) ms/.exec(line)?.[1])).toEqual(["100", "200", "400"]);
});

it("forgives a child that fails at its first start and not at its second", async () => {
  silenceStderr();
  const file = join(await temporaryDirectory(), "failed");
  const observed = await start([{ ...child("fail-once"), args: ["fail-once", file] }]);
  expect(observed.lines).toEqual(["fail-once ended (exit code 3) and is started again in 100 ms."]);
});

it("gives up with the child's last words when it cannot start, and takes the others down", async () => {
  const stderr = silenceStderr();
  let processes: readonly RunningProcess[] = [];
  const supervised = supervise({
    children: [child("fail"), child("serve")],
    entry: ENTRY,
    drainMs: 1_000,
    onChange: (now) => {
      processes = now;
    },
    log: () => {},
  });
  await expect(supervised).rejects.toThrow("fail does not start (exit code 3).\nThere is no port left.");
  expect(stderr).toHaveBeenCalledWith(Buffer.from("There is no port left.\n"));
  expect(processes).toEqual([]);
});

it("gives up at once on a child that tells why it cannot start", async () => {
  const lines: string[] = [];
  const supervised = supervise({
    children: [child("tell"), child("serve")],
    entry: ENTRY,
    drainMs: 1_000,
    onChange: () => {},
    log: (line) => lines.push(line),
  });
  await expect(supervised).rejects.toThrow(/^tell does not start: There is no port left\.$/);
  expect(lines).toEqual([]);
});

it("breaks a start off when it is told to stop, and leaves no child", async () => {
  const stopping = new AbortController();
  let processes: readonly RunningProcess[] = [];
  const supervised = supervise({
    children: [child("never-ready"), child("serve")],
    entry: ENTRY,
    drainMs: 1_000,
    stopping: stopping.signal,
    onChange: (now) => {
      processes = now;
    },
    log: () => {},
  });
  await until(() => processes.length === 2);
  stopping.abort();
  await expect(supervised).rejects.toThrow("stopped before it was ready");
  expect(processes).toEqual([]);
});

it("stops those that others need after the others, whoever sent them a signal before", async () => {
  const ends: string[] = [];
  let pids: readonly number[] = [];
  let before: readonly string[] = [];
  const supervisor = await supervise({
    children: [{ ...child("by-word"), stopsLast: true }, child("slow")],
    entry: ENTRY,
    drainMs: 2_000,
    onChange: (now) => {
      const names = now.map(({ name }) => name);
      ends.push(...before.filter((name) => !names.includes(name)));
      before = names;
      pids = now.map(({ pid }) => pid);
    },
    log: () => {},
  });
  process.kill(pids[0] as number, "SIGTERM");
  await supervisor.stop();
  expect(ends).toEqual(["slow", "by-word"]);
});

it("kills at once what still drains when nobody waits for it any more", async () => {
  const hurry = new AbortController();
  const lines: string[] = [];
  const supervisor = await supervise({
    children: [child("stubborn")],
    entry: ENTRY,
    drainMs: FAR_OFF_MS,
    hurry: hurry.signal,
    onChange: () => {},
    log: (line) => lines.push(line),
  });
  const stopped = supervisor.stop();
  hurry.abort();
  await stopped;
  expect(lines).toEqual([]);
});

it("lets children finish when it is stopped", async () => {
  const observed = await start([child("serve"), child("slow")], 60_000);
  const before = performance.now();
  await observed.stop();
  expect(performance.now() - before).toBeGreaterThan(250);
  expect(observed.processes).toEqual([]);
  expect(observed.lines).toEqual([]);
});

it("kills a child that does not end in time", async () => {
  const observed = await start([child("stubborn")], 300);
  const [pid] = pidsOf(observed) as [number];
  await observed.stop();
  expect(await isAlive(pid)).toBe(false);
  expect(observed.lines).toEqual(["stubborn has not ended after 300 ms and is killed."]);
});

it("does not start a child again that dies while all are stopped, or while it waits for its turn", async () => {
  const observed = await start([child("slow"), child("serve")]);
  process.kill(pidsOf(observed)[1] as number, "SIGKILL");
  await until(() => observed.lines.length === 1);
  await observed.stop();
  expect(observed.processes).toEqual([]);
});

it.skipIf(process.platform !== "linux")("keeps a terminal's Ctrl-C from the children", async () => {
  const observed = await start([child("serve")]);
  const [pid] = pidsOf(observed) as [number];
  const fields = (await readFile(`/proc/${pid}/stat`, "utf8")).split(") ")[1]?.split(" ");
  const processGroup = Number(fields?.[2]);
  expect(processGroup).toBe(pid);
});

it("leaves no children behind when it is killed itself", async () => {
  const supervisor = spawn(process.execPath, [SUPERVISOR], { stdio: ["ignore", "pipe", "inherit"], env: {} });
  const [line] = (await once(supervisor.stdout, "data")) as [Buffer];
  const pids = JSON.parse(line.toString()) as number[];
  expect(pids).toHaveLength(2);
  supervisor.kill("SIGKILL");
  await until(async () => (await Promise.all(pids.map(isAlive))).every((alive) => !alive));
});

async function start(children: ChildSpec[], drainMs = 60_000): Promise<Observed> {
  const observed = { processes: [] as readonly RunningProcess[], lines: [] as string[] };
  const supervisor = await supervise({
    children,
    entry: ENTRY,
    drainMs,
    onChange: (processes) => {
      observed.processes = processes;
    },
    log: (line) => observed.lines.push(line),
  });
  onTestFinished(() => supervisor.stop());
  return Object.assign(observed, supervisor);
}

function child(mode: string): ChildSpec {
  return { name: mode, pools: [], args: [mode], env: {} };
}

function pidsOf(observed: Observed): number[] {
  return observed.processes.map(({ pid }) => pid);
}

/** What a child says there is passed on, and would stand between the test results. */
function silenceStderr() {
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  onTestFinished(() => write.mockRestore());
  return write;
}

async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "meshforge-test-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}
