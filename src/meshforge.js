#!/usr/bin/env node
// Plain JavaScript that older versions of Node can read: they start the Node that the project brings with it.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import * as nodeModule from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** From this version on TypeScript runs as it stands, without a warning. */
const FIRST_GOOD_MAJOR = 24;

const pinned = findPinned();
if (Number.parseInt(process.versions.node, 10) >= FIRST_GOOD_MAJOR && process.features.typescript) {
  runHere();
} else if (pinned !== null) {
  runWith(pinned);
} else if (process.features.typescript) {
  runHere();
} else {
  process.stderr.write(
    `Meshforge needs Node 22.18 or newer, and this is ${process.version}: "npm ci" installs a fitting one beside it.\n`,
  );
  process.exitCode = 1;
}

/** With the compiled code kept between starts, no process needs the TypeScript compiler and its 30 MB. */
function runHere() {
  // Beside the code, and not in Node's default place: what others may write to must not become our code.
  nodeModule.enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/meshforge", import.meta.url)));
  void import("./cli/main.ts");
}

/** The Node that is installed as a dependency, or null; its own script fetches it, which npm may have left out. */
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
  for (const signal of ["SIGTERM", "SIGHUP", "SIGINT"]) {
    process.on(signal, () => {
      // A terminal sends its Ctrl-C to the child as well, and a second one would mean "at once".
      if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
    });
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
