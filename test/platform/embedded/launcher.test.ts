import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { openDirectory } from "./directories.ts";

const LAUNCHER = fileURLToPath(new URL("../../../src/meshforge.js", import.meta.url));
/** Makes this Node as unable to run TypeScript as an older one is. */
const OLD_NODE = "--no-strip-types";
const MAIN = `
const [, , what]: string[] = process.argv;
process.on("SIGTERM", () => process.exit(7));
console.log("main", what);
if (what === "serve") setInterval(() => {}, 1_000);
else if (what === "crash") process.kill(process.pid, "SIGKILL");
else process.exitCode = Number(what);
`;
/** Stands for the Node of the project: this one, without the option that makes it old. */
const PINNED = `#!/bin/sh\nshift\nexec "${process.execPath}" "$@"\n`;

it("runs the platform in this very process on a Node that runs TypeScript, without a warning", async () => {
  const program = await makePackage();
  expect(await run([program, "5"])).toEqual({ code: 5, signal: null, stdout: "main 5\n", stderr: "" });
});

it("says in one line what is missing on an older Node without the project's own", async () => {
  const program = await makePackage();
  const { code, stdout, stderr } = await run([OLD_NODE, program, "0"]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(/^Meshforge runs on Node 24, and this is v.*\n$/);
});

it("hands over to the project's own Node on an older one, and ends as that ends", async () => {
  const program = await makePackage(PINNED);
  expect(await run([OLD_NODE, program, "5"])).toEqual({
    code: 5,
    signal: null,
    stdout: "main 5\n",
    stderr: "",
  });
  expect(await run([OLD_NODE, program, "crash"])).toMatchObject({ code: null, signal: "SIGKILL" });
});

it("passes signals on to the project's own Node", async () => {
  const program = await makePackage(PINNED);
  const child = launch([OLD_NODE, program, "serve"]);
  await once(child.stdout as NodeJS.ReadableStream, "data");
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([7, null]);
});

/** A package with the launcher, a program of the test's, and the given Node. */
async function makePackage(pinned?: string): Promise<string> {
  const root = await openDirectory();
  await mkdir(join(root, "src/cli"), { recursive: true });
  await writeFile(join(root, "package.json"), JSON.stringify({ type: "module" }));
  await copyFile(LAUNCHER, join(root, "src/meshforge.js"));
  await writeFile(join(root, "src/cli/main.ts"), MAIN);
  if (pinned !== undefined) {
    await mkdir(join(root, "node_modules/node/bin"), { recursive: true });
    await writeFile(join(root, "node_modules/node/package.json"), "{}");
    await writeFile(join(root, "node_modules/node/bin/node"), pinned, { mode: 0o755 });
  }
  return join(root, "src/meshforge.js");
}

function launch(args: string[]): ChildProcess {
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"], env: {} });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  return child;
}

async function run(args: string[]) {
  const child = launch(args);
  const texts = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name]?.on("data", (chunk: Buffer) => {
      texts[name] += chunk.toString();
    });
  }
  const [code, signal] = (await once(child, "close")) as [number | null, string | null];
  return { code, signal, ...texts };
}
