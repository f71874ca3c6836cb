import { type ChildProcess, fork, type Serializable } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import pg from "pg";
import { meshforge, type ProcessPlatform, startProcesses } from "../test/support/process-platform.ts";
import type { Load, Measured } from "./load.ts";
import type { PeerLoad } from "./peers/caller.ts";
import type { PeerAt } from "./peers/peers.ts";
import type { Statements } from "./statements.ts";

/** Callers at once, where a benchmark says "many". */
export const MANY = 64;
const ACCOUNTS = 16;
const MESH_EACH = "100000000";

/** An account that can pay for everything. */
export type Account = { readonly id: string; readonly key: string };

/** The headers of calls that these accounts pay for. */
export const headersOf = (payers: readonly Account[]): Record<string, string>[] =>
  payers.map(({ key }) => ({ authorization: `Bearer ${key}`, "content-type": "application/json" }));

/** Runs a file of this folder with one message, and gives the one that it answers. */
export async function inProcess(file: string, message: Load | Statements | PeerLoad): Promise<Measured> {
  return await answerOf<Measured>(fork(join(import.meta.dirname, file)), message);
}

/** Lends a peer whose worker runs in a process of its own. */
export async function withPeer(at: PeerAt, use: () => Promise<void>): Promise<void> {
  const worker = fork(join(import.meta.dirname, "peers/worker.ts"));
  try {
    await answerOf<"ready">(worker, at);
    await use();
  } finally {
    worker.kill();
  }
}

async function answerOf<T>(child: ChildProcess, message: Serializable): Promise<T> {
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`${child.spawnargs.at(-1)} ended with ${code} before its answer`);
  });
  child.send(message);
  const [answer] = (await Promise.race([once(child, "message"), ended])) as [T];
  return answer;
}

/** Starts a platform with accounts that can pay for everything; afterwards its audit has to find nothing. */
export async function withPlatform(
  settings: Readonly<Record<string, string>>,
  use: (platform: ProcessPlatform, accounts: readonly Account[]) => Promise<void>,
): Promise<void> {
  const platform = await startProcesses(settings);
  try {
    console.log(`\n${await serverVersion(platform)}`);
    const accounts: Account[] = [];
    for (let n = 0; n < ACCOUNTS; n++) accounts.push(await openAccount(platform, `bench-${n}`));
    await use(platform, accounts);
    if ((await command(platform, "audit", "--json")) !== 0) throw new Error("the audit found violations");
  } finally {
    await platform.stop();
    await platform.remove();
  }
}

async function openAccount(platform: ProcessPlatform, handle: string): Promise<Account> {
  const response = await fetch(`${platform.run().baseUrl}/api/accounts`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ handle }),
  });
  const { account, api_key } = (await response.json()) as { account: { id: string }; api_key: string };
  await command(platform, "account", "grant", handle, MESH_EACH, "MESH");
  return { id: account.id, key: api_key };
}

async function command({ env }: ProcessPlatform, ...args: string[]): Promise<number | null> {
  const [code] = (await once(meshforge(args, env).child, "exit")) as [number | null];
  return code;
}

async function serverVersion(platform: ProcessPlatform): Promise<string> {
  const client = new pg.Client({ connectionString: platform.run().databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ version: string }>(
    "select split_part(version(), ' on ', 1) as version",
  );
  await client.end();
  return rows[0]?.version ?? "";
}
