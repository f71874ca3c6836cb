import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, it } from "vitest";
import { pathOf } from "../../../src/adapters/artifacts/blobs.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";

const WRITER = fileURLToPath(new URL("put-artifacts-program.ts", import.meta.url));
const KILLS = 4;

let database: TestDatabase;
let root: string;
beforeAll(async () => {
  database = await createTestDatabase();
  root = await mkdtemp(join(tmpdir(), "meshforge-blobs-"));
});
afterAll(async () => {
  await database.drop();
  await rm(root, { recursive: true });
});

/** Lets a program store artifacts, kills it in the midst, and gives the hashes that it had said by then. */
async function writeUntilKilled(after: number): Promise<string[]> {
  const said: string[] = [];
  const writer = spawn(process.execPath, [WRITER, root, database.url], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const gone = once(writer, "close");
  createInterface(writer.stdout).on("line", (line) => {
    said.push(line);
    if (said.length === after) writer.kill("SIGKILL");
  });
  await gone;
  return said;
}

it("has every artifact that a killed process said or wrote down, whole", async () => {
  const said = (
    await Promise.all(Array.from({ length: KILLS }, (_, k) => writeUntilKilled(3 + 7 * k)))
  ).flat();
  const rows = await database.owner.query<{ sha256: string; bytes: number }>(
    "select sha256, bytes from artifacts",
  );
  expect(rows.map(({ sha256 }) => sha256)).toEqual(expect.arrayContaining(said));
  for (const { sha256, bytes } of rows) {
    const file = await readFile(join(root, pathOf({ kind: "files", sha256 })));
    expect(file).toHaveLength(bytes);
    expect(createHash("sha256").update(file).digest("hex")).toBe(sha256);
  }
});
