import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "../support/global-setup.ts";
import { until } from "../support/until.ts";

export const ROOT = join(import.meta.dirname, "../..");
const MAX_OUTPUT_BYTES = 16_777_216;

/** Settings of a shell. */
export type Settings = Readonly<Record<string, string | undefined>>;

/** A shell of somebody with Node 24 on it, and nothing of this checkout or this test run. */
export const shell: Settings = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => /^(HOME|TMPDIR|npm_config_registry)$/.test(name)),
  ),
  // What npm has fetched before it need not ask for again.
  npm_config_prefer_offline: "true",
  PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
};

/** Runs a program to its end and gives what it wrote to its standard output. Throws with all that it said when it fails. */
export async function run(
  folder: string,
  program: string,
  args: readonly string[],
  settings: Settings = {},
): Promise<string> {
  const ended = promisify(execFile)(program, args, {
    cwd: folder,
    env: { ...shell, ...settings },
    maxBuffer: MAX_OUTPUT_BYTES,
  });
  const { stdout } = await ended.catch((error: Error & { stdout: string }) => {
    throw new Error(`${error.message}\n${error.stdout}`, { cause: error });
  });
  return stdout;
}

/** Settings with which a platform is in nobody's way: free ports, and its data below `folder`. */
export const ownPlatform = async (folder: string) => ({
  DATA_DIR: join(folder, ".data"),
  PORT: String(await freePort()),
  TOOL_API_PORT: String(await freePort()),
  OPS_PORT: String(await freePort()),
});

/** A platform that serves. */
export type Serving = {
  /** Opens an account, calls a capability with it and gives its result. Throws when the call did not succeed. */
  call(slug: string, input: unknown): Promise<unknown>;
  /** Ends it in order and gives its exit code. */
  stop(): Promise<number | null>;
};

/** Starts a program that says `ready` once it serves on `settings.PORT`. */
export async function serve(
  folder: string,
  program: string,
  args: readonly string[],
  settings: Settings,
): Promise<Serving> {
  const child = spawn(program, args, { cwd: folder, env: { ...shell, ...settings }, stdio: "pipe" });
  const exited = once(child, "exit") as Promise<[number | null]>;
  const output = outputOf(child);
  await until(async () => output.text.includes("ready") || child.exitCode !== null);
  if (child.exitCode !== null) throw new Error(`It did not start:\n${output.text}`);
  return {
    call: async (slug, input) => await call(`http://127.0.0.1:${settings["PORT"]}`, slug, input),
    stop: async () => {
      child.kill("SIGTERM");
      return (await exited)[0];
    },
  };
}

function outputOf(child: ChildProcess): { text: string } {
  const output = { text: "" };
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => (output.text += chunk.toString()));
  return output;
}

async function call(baseUrl: string, slug: string, input: unknown): Promise<unknown> {
  const account = await fetch(`${baseUrl}/api/accounts`, { method: "POST" });
  const { api_key: key } = (await account.json()) as { api_key: string };
  const answer = await fetch(`${baseUrl}/api/call/${slug}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(input),
  });
  const envelope = (await answer.json()) as { status?: string; result?: unknown };
  if (envelope.status !== "succeeded") throw new Error(`${slug} answered ${JSON.stringify(envelope)}`);
  return envelope.result;
}
