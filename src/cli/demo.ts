import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { AlreadyRunning } from "../platform/embedded/lock.ts";
import { checkWatertight } from "../features/cam-forge/watertight.ts";
import { type Config, inheritedEnvironment, loadConfig } from "../platform/config.ts";
import { freePort } from "../platform/free-port.ts";
import { table } from "./table.ts";
import { createLog } from "../platform/log.ts";
import { type Environment, startPlatform, STOP_REST_MS } from "../platform/platform.ts";
import { live } from "../platform/process-life.ts";

const SLUG = "cam-forge";
const CANCEL_TRIES = 5;

// oxlint-disable-next-line typescript/no-explicit-any -- a client reads answers as they come
type Json = any;
type Ask = (
  method: string,
  path: string,
  options?: { body?: unknown; headers?: Record<string, string> },
) => Promise<Json>;

const say = (line = ""): void => console.log(line);
const title = (text: string): void => say(`\n${text}\n${"-".repeat(text.length)}`);

/**
 * The main job on real input, as a caller sees it over HTTP: an account, a paid panel, an independent look at the file,
 * a cancelled call with its refund, the ledger. Uses the platform that runs on this DATA_DIR, or starts one.
 */
export async function demo(): Promise<void> {
  const { config, env } = await demoSettings();
  const log = createLog(config, "demo");
  const limitMs = config.drainMs + STOP_REST_MS;
  const onFault = (error: unknown): void => log.error({ err: error }, "the supervisor");
  const onLate = (what: string): void => log.error(`the supervisor: ${what}`);
  await live({ limitMs, keepsOthers: true, onFault, onLate }, async (life) => {
    const starting = startPlatform(config, env, { ...life, log });
    life.onStop(async () => (await starting.catch(() => undefined))?.stop());
    const platform = await starting.catch((error: unknown) => {
      if (error instanceof AlreadyRunning) return null;
      throw error;
    });
    await mainJob(config, platform === null ? await runningBaseUrl(config) : config.baseUrl);
    life.end();
  });
}

async function mainJob(config: Config, baseUrl: string): Promise<void> {
  title("1. An agent opens an account");
  const opened = await client(baseUrl)("POST", "/api/accounts", { body: {} });
  say(`POST ${baseUrl}/api/accounts`);
  say(`account  ${opened.account.handle} (${opened.account.id})`);
  say(`key      ${opened.api_key.slice(0, 9)}...  (shown once; here only its beginning)`);
  say(`balance  ${opened.balance} MESH, a starter grant`);
  const ask = client(baseUrl, opened.api_key);

  await buyPanel(config, ask, opened.balance);
  await cancelPanel(ask);
  await showLedger(ask);
}

async function buyPanel(config: Config, ask: Ask, balanceBefore: number): Promise<void> {
  const { price } = await ask("GET", `/api/capabilities/${SLUG}`);
  title(`2. It pays ${price} MESH for a panel, which a worker in another process makes`);
  const body = {
    width: 180,
    height: 120,
    thickness: 4,
    lattice: "hexpack",
    shape: "hexagon",
    pitch: 16,
    wall: 3,
  };
  say(`POST /api/call/${SLUG} ${JSON.stringify(body)}`);
  const call = await ask("POST", `/api/call/${SLUG}`, { body });
  if (call.ok !== true) throw new Error(`The panel was not made: ${JSON.stringify(call)}`);
  const { result } = call;
  say(`call     ${call.call_id}: ${call.status} after ${call.duration_ms} ms`);
  say(`balance  ${balanceBefore} MESH before, ${call.balance} MESH after`);

  title("3. The file, looked at again by an independent check of the bytes that arrived");
  const bytes = Buffer.from(result.data, "base64");
  const path = await save(config, result.filename, bytes);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const check = checkWatertight(bytes);
  say(`file     ${path}`);
  say(`address  ${result.url}  (permanent)`);
  say(`picture  ${result.preview_url}`);
  say(
    `facts    ${bytes.length} bytes, ${check.triangles} triangles, ${result.cells.holes} holes, ${result.open_area_pct} % open`,
  );
  say(
    `sha256   ${sha256} ${sha256 === result.sha256 ? "(as the worker said)" : "(NOT what the worker said)"}`,
  );
  say(
    `mesh     ${check.edges} edges, ${check.boundaryEdges} open, ${check.nonManifoldEdges} non-manifold, genus ${check.genus}, ` +
      `volume ${check.volumeMm3.toFixed(1)} mm3: ${check.faults.length === 0 ? "watertight" : check.faults.join("; ")}`,
  );
  if (check.faults.length > 0 || sha256 !== result.sha256)
    throw new Error("The file is not what it should be.");
}

/** A call may be done before it can be taken back; then another one is. */
async function cancelPanel(ask: Ask): Promise<void> {
  title("4. It orders another, takes it back, and has its MESH again");
  for (let tries = 1; tries <= CANCEL_TRIES; tries++) {
    const ordered = await ask("POST", `/api/call/${SLUG}`, {
      body: { width: 500, height: 500, pitch: 22, inline: false, seed: tries },
      headers: { prefer: "respond-async" },
    });
    await ask("POST", `/api/calls/${ordered.call_id}/cancel`);
    const ended = await ask("GET", `/api/calls/${ordered.call_id}?wait=10`);
    if (ended.status !== "cancelled") continue;
    say(`call     ${ordered.call_id}: ${ordered.status}, ${ordered.balance} MESH left`);
    say(`         POST /api/calls/${ordered.call_id}/cancel`);
    say(`         ${ended.status}, refunded: ${ended.refunded}, ${ended.balance} MESH again`);
    return;
  }
  throw new Error(`No call could be cancelled in ${CANCEL_TRIES} tries.`);
}

async function showLedger(ask: Ask): Promise<void> {
  title("5. The ledger, where nothing is ever changed: a refund is a new entry");
  const { entries } = await ask("GET", "/api/account/ledger?currency=MESH");
  say(
    table(
      ["kind", "delta", "balance", "for"],
      entries
        .map((entry: Json) => [
          entry.kind,
          entry.delta,
          entry.balance_after,
          entry.call_id ?? entry.memo ?? "",
        ])
        .reverse(),
    ),
  );
  const { balance } = await ask("GET", "/api/account");
  say(`\nbalance  ${balance} MESH, the sum of the deltas`);
}

function client(baseUrl: string, key?: string): Ask {
  return async (method, path, { body, headers } = {}) => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as Json;
    // A call that has ended by itself cannot be taken back; whatever else is refused ends the demonstration.
    if (response.ok || answer.error === "already_ended") return answer;
    throw new Error(`${method} ${path} was answered ${response.status}: ${answer.message}`);
  };
}

async function save(config: Config, filename: string, bytes: Buffer): Promise<string> {
  const directory = join(config.dataDir, "demo");
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, filename);
  await writeFile(path, bytes, { mode: 0o600 });
  return path;
}

async function runningBaseUrl(config: Config): Promise<string> {
  const run = JSON.parse(await readFile(join(config.dataDir, "run.json"), "utf8")) as { baseUrl: string };
  say(`Meshforge runs here already, at ${run.baseUrl}: this is done there.`);
  return run.baseUrl;
}

/** The settings as they are, but for ports that others hold: a demonstration can do with any. */
async function demoSettings(): Promise<{ config: Config; env: Environment }> {
  const given = inheritedEnvironment();
  const wished = loadConfig(given);
  const ports = {
    PORT: String(await freePort(wished.port)),
    TOOL_API_PORT: String(await freePort(wished.toolApiPort)),
    OPS_PORT: String(await freePort(wished.opsPort)),
  };
  const env = { ...given, ...ports };
  return { config: loadConfig(env), env };
}
