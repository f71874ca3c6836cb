#!/usr/bin/env node
// Plain JavaScript that older versions of Node can read: they start the Node that a checkout brings along.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync, utimesSync } from "node:fs";
import * as nodeModule from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** From this version on TypeScript runs as it stands, without a warning. */
const NODE_MAJOR = 24;
/** The program: TypeScript in a checkout, compiled in a package. */
const SOURCE = new URL("./cli/main.ts", import.meta.url);
const COMPILED = new URL("../dist/src/cli/main.js", import.meta.url);

if (Number.parseInt(process.versions.node, 10) >= NODE_MAJOR && process.features.typescript) {
  runHere();
} else {
  const pinned = findPinned();
  if (pinned !== null) {
    runWith(pinned);
  } else {
    process.stderr.write(
      `Meshforge runs on Node ${NODE_MAJOR}, and this is ${process.version}: in a checkout "npm ci" brings the right one along.\n`,
    );
    process.exitCode = 1;
  }
}

/** With the compiled code kept between starts, no process needs the TypeScript compiler and its 30 MB. */
function runHere() {
  // Beside the code, and not in Node's default place: what others may write to must not become our code.
  const cache = fileURLToPath(new URL("../node_modules/.cache/meshforge", import.meta.url));
  if (process.argv[2] === "up" && existsSync(SOURCE) && isStale(cache)) compileAhead(cache);
  nodeModule.enableCompileCache(cache);
  void import((existsSync(SOURCE) ? SOURCE : COMPILED).href);
}

/** Whether a source is newer than what was compiled ahead. */
function isStale(cache) {
  if (!existsSync(cache)) return true;
  const { mtimeMs } = statSync(cache);
  const sources = fileURLToPath(new URL(".", import.meta.url));
  return readdirSync(sources, { recursive: true }).some(
    (name) => name.endsWith(".ts") && statSync(join(sources, name)).mtimeMs > mtimeMs,
  );
}

/** The supervisor lives as long as the platform: where the compiler is needed, it runs in a process before it. */
function compileAhead(cache) {
  const now = new Date();
  spawnSync(process.execPath, [fileURLToPath(import.meta.url), "compile"], { stdio: "ignore" });
  try {
    utimesSync(cache, now, now);
  } catch {
    // In a checkout that is read-only nothing is kept, and every start compiles.
  }
}

/** The Node that a checkout brings along, or null; a script of its package fetches it, which npm may have left out. */
function findPinned() {
  try {
    const node = join(
      dirname(nodeModule.createRequire(import.meta.url).resolve("node/package.json")),
      "bin/node",
    );
    return existsSync(node) && node !== process.execPath ? node : null;
  } catch {
    return null;
  }
}

function runWith(node) {
  const args = [...process.execArgv, fileURLToPath(import.meta.url), ...process.argv.slice(2)];
  const child = spawn(node, args, { stdio: "inherit" });
  child.on("error", (error) => {
    process.stderr.write(`${node} does not start: ${error.message}\n`);
    process.exitCode = 1;
  });
  for (const signal of ["SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT"]) {
    // What is sent to the whole process group has reached the child already; it takes no harm from hearing it twice.
    process.on(signal, () => child.kill(signal));
  }
  child.on("exit", (code, signal) => {
    if (signal === null) {
      process.exitCode = code;
    } else {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    }
  });
}
