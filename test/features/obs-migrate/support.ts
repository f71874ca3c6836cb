import { readdirSync, readFileSync } from "node:fs";
import handler from "../../../src/features/obs-migrate/handler.ts";
import obsMigrate from "../../../src/features/obs-migrate/index.ts";
import { parseInput } from "../../../src/core/catalog/input.ts";
import { handlerContext } from "../../support/handler-context.ts";

const FIXTURES = new URL("../../../fixtures/obs/", import.meta.url);

/** Collections and profiles as OBS 30 and 31 write them on macOS and Linux, by name. */
export const fixtures = (): Record<string, string> =>
  Object.fromEntries(
    readdirSync(FIXTURES).map((name) => [name, readFileSync(new URL(name, FIXTURES), "utf8")]),
  );

export type Migrated = { files: Record<string, string>; changes: string[]; manual_steps: string[] };

/** Calls the capability with a body, as a caller would. */
export async function migrate(body: Record<string, unknown>): Promise<Migrated> {
  const input = obsMigrate.input.parse(parseInput(obsMigrate, body));
  return obsMigrate.output.parse(await handler(input, handlerContext()));
}

/** A collection with these sources. */
export const collection = (...sources: readonly object[]): string =>
  JSON.stringify({ name: "Test", sources }, null, 4);

/** Migrates a collection with these sources, and gives them back. */
export async function sourcesOf(
  sources: readonly object[],
  folders: Record<string, string> = {},
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into collections freely
): Promise<{ sources: any[]; steps: string[]; changes: string[] }> {
  const answer = await migrate({ files: { "a.json": collection(...sources) }, ...folders });
  const read = JSON.parse(answer.files["a.json"] ?? "");
  return { sources: read.sources, steps: answer.manual_steps, changes: answer.changes };
}

export const image = (file: string, name = "Image"): object => ({
  name,
  id: "image_source",
  settings: { file },
});
