import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

const OPEN_TO_ENTER = 0o755;
const OWNER_ONLY = 0o700;

/** A directory for the running test that every user may enter. */
export async function openDirectory(): Promise<string> {
  return makeDirectory(OPEN_TO_ENTER);
}

/** A directory for the running test that only this user may enter. */
export async function closedDirectory(): Promise<string> {
  return makeDirectory(OWNER_ONLY);
}

/** A directory that every user may enter, for all tests of a file, which remove it themselves. */
export async function lastingDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "meshforge-test-"));
  await chmod(directory, OPEN_TO_ENTER);
  return directory;
}

/** Removes a directory, though a process that is just ending may still write to it. */
export async function removeDirectory(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true, maxRetries: 10 });
}

async function makeDirectory(mode: number): Promise<string> {
  const directory = await lastingDirectory();
  await chmod(directory, mode);
  onTestFinished(() => removeDirectory(directory));
  return directory;
}
