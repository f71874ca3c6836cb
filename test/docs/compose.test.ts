import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { POOLS } from "../../src/core/catalog/define.ts";
import { WORKER_POOLS } from "../../src/core/calls/pools.ts";
import { loadConfig, SETTINGS } from "../../src/platform/config.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

const ROOT = join(import.meta.dirname, "../..");
const SECONDS = /^(\d+)s$/;
/** Settings that a container has no use for: its ports and addresses are its own, and the rest is not for production. */
const NOT_PASSED = new Set([
  "PORT",
  "TOOL_API_PORT",
  "OPS_PORT",
  "HOST",
  "FAIL_POINTS",
  "ALLOW_PRIVATE_UPSTREAMS",
]);

type Service = {
  readonly image?: string;
  readonly build?: string;
  readonly command?: readonly string[];
  readonly restart?: string;
  readonly ports?: readonly string[];
  readonly expose?: readonly string[];
  readonly stop_grace_period?: string;
  readonly environment?: Readonly<Record<string, string | null>>;
  readonly healthcheck?: { readonly test: readonly string[] };
};

/** No engine is here to start it: what the file says is what can be checked. */
let services: Readonly<Record<string, Service>>;
let dockerfile: string;
let ofPlatform: [string, Service][];
beforeAll(async () => {
  const text = await readFile(join(ROOT, "docker-compose.yml"), "utf8");
  ({ services } = parse(text, { merge: true }) as { services: Record<string, Service> });
  dockerfile = await readFile(join(ROOT, "Dockerfile"), "utf8");
  ofPlatform = Object.entries(services).filter(([name]) => name === "api" || name.startsWith("worker-"));
});

/** What stands for a variable that is not set. */
const fallback = (text: string | null | undefined): string => (text ?? "").replace(/^\$\{\w+:-(.*)\}$/, "$1");

describe("docker-compose.yml", () => {
  it("gives every process longer to stop than it takes to drain", () => {
    for (const [name, { stop_grace_period: grace, environment }] of ofPlatform) {
      const drainMs = Number(fallback(environment?.["DRAIN_MS"]));
      expect(drainMs, name).toBe(loadConfig({}).drainMs);
      expect(Number(SECONDS.exec(fallback(grace))?.[1]) * 1_000, name).toBeGreaterThan(drainMs);
    }
  });

  it("checks the health of every service that stays", () => {
    for (const [name, { healthcheck, restart }] of Object.entries(services)) {
      if (restart !== "no") expect(healthcheck?.test.length, name).toBeGreaterThan(1);
    }
  });

  it("lets probes reach the operations surface inside the network alone, with a token", () => {
    const { expose, ports, environment } = services["api"] ?? {};
    expect(expose).toEqual(["4002"]);
    expect(ports?.some((port) => port.includes("4002"))).toBe(false);
    expect(environment).toMatchObject({
      OPS_HOST: "0.0.0.0",
      OPS_ALLOWED_HOSTS: "${OPS_ALLOWED_HOSTS:-api}",
    });
    expect(environment?.["OPS_TOKEN"]).toMatch(/^\$\{OPS_TOKEN:\?/);
  });

  it("passes every setting on", () => {
    for (const [name, { environment = {} }] of ofPlatform) {
      const missing = SETTINGS.filter(
        (setting) => !NOT_PASSED.has(setting) && !Object.hasOwn(environment, setting),
      );
      expect(missing, name).toEqual([]);
    }
  });

  it("serves every pool", () => {
    const served = ofPlatform.flatMap(([, { command = [] }]) => (command[0] === "worker" ? (command[1] ?? "").split(",") : [])); // prettier-ignore
    expect(served.sort()).toEqual(POOLS.filter((pool) => (WORKER_POOLS as readonly string[]).includes(pool)).sort()); // prettier-ignore
  });

  it("puts no password into an address", () => {
    for (const [name, { environment }] of ofPlatform) {
      expect(new URL(environment?.["DATABASE_URL"] ?? "").password, name).toBe("");
      expect(environment?.["PGPASSWORD"], name).toMatch(/^\$\{POSTGRES_PASSWORD:\?/);
    }
  });

  it("names images by their full version", () => {
    expect(fallback(services["postgres"]?.image)).toMatch(/^postgres:\d+\.\d+$/);
    expect(fallback(services["redis"]?.image)).toMatch(/^redis:\d+\.\d+$/);
    expect(dockerfile).toMatch(/^FROM node:\d+\.\d+\.\d+-slim$/m);
  });
});

describe("what the containers run", () => {
  const PASSWORD = "p@ss:w/o#r?d% &'\"\\$1";
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    const [row] = await database.owner.query<{ sql: string }>(
      "select format('create role compose_operator superuser login password %L', $1::text) as sql",
      [PASSWORD],
    );
    await database.owner.query(row?.sql ?? "");
  });
  afterAll(async () => {
    await database.owner.query("drop role compose_operator");
    await database.drop();
  });

  async function meshforge(args: readonly string[]): Promise<{ code: number | null; text: string }> {
    const url = new URL(database.url);
    url.username = "compose_operator";
    url.password = "";
    const child = spawn(process.execPath, ["src/meshforge.js", ...args], {
      cwd: ROOT,
      env: { PATH: process.env["PATH"] ?? "", DATABASE_URL: url.href, PGPASSWORD: PASSWORD },
    });
    let text = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => (text += chunk.toString()));
    }
    const code = await new Promise<number | null>((resolve) => child.once("exit", resolve));
    return { code, text };
  }

  it("takes a password of any characters", async () => {
    const { code, text } = await meshforge(["audit"]);
    expect({ code, text }).toMatchObject({ code: 0, text: expect.stringContaining("Every invariant holds") as string }); // prettier-ignore
  });

  it("knows a worker that lives from none", async () => {
    expect(await meshforge(["health", "worker"])).toMatchObject({
      code: 1,
      text: expect.stringContaining("has given a sign") as string,
    });
    await database.owner.query(
      "insert into workers (name, pool, slots, running, seen_at) values ($1 || '-1-ab', 'cam', 1, 0, clock_now() + interval '1 minute')",
      [(await import("node:os")).hostname()],
    );
    expect(await meshforge(["health", "worker"])).toEqual({ code: 0, text: "" });
  });

  it("finds an address that does not answer", async () => {
    const { code, text } = await meshforge(["health", "http://127.0.0.1:1/healthz"]);
    expect(code).toBe(1);
    expect(text).toContain("http://127.0.0.1:1/healthz does not answer");
  });
});
