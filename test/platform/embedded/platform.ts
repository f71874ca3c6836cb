import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

export type Platform = { readonly process: ChildProcess; readonly url: string; readonly pid: number };

const PROGRAM = fileURLToPath(new URL("hold-postgres.ts", import.meta.url));

/** A process of its own that has started the database of `dataDir`. */
export async function startPlatform(dataDir: string, program = PROGRAM): Promise<Platform> {
  const child = launchPlatform(dataDir, program);
  let errors = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const line = await Promise.race([
    once(child.stdout as NodeJS.ReadableStream, "data").then(([chunk]) => String(chunk)),
    once(child, "close").then(() => {
      throw new Error(errors);
    }),
  ]);
  return { process: child, ...(JSON.parse(line) as { url: string; pid: number }) };
}

/** The same, but not waited for. */
export function launchPlatform(dataDir: string, program = PROGRAM): ChildProcess {
  const child = spawn(process.execPath, [program, dataDir], { stdio: ["ignore", "pipe", "pipe"], env: {} });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  return child;
}

/** Kills a process as a crash would, and waits for its end. */
export async function crash(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}
