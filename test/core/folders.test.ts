import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Capability } from "../../src/core/catalog/capability.ts";
import { Catalog } from "../../src/core/catalog/catalog.ts";
import { loadFolders, loadHandler } from "../../src/core/catalog/folders.ts";
import { newRoot, writeCapability } from "./capability-folders.ts";

const vector = (input: unknown): unknown => ({ name: "given", input, expect: {} });
const good = [1, 2, 3].map(() => vector({ text: "a" }));

let root: string;
beforeEach(async () => {
  root = await newRoot();
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** All that the folders declare, by slug. */
const load = async (...roots: string[]): Promise<ReadonlyMap<string, Capability>> =>
  new Catalog(await loadFolders(roots)).snapshot.capabilities;

async function faultOf(): Promise<string> {
  const error: unknown = await load(root).catch((thrown: unknown) => thrown);
  return error instanceof Error ? error.message : "";
}

/** A package of its own below the root, with this `package.json` and this declaration. */
async function writeFolder(manifest: object, declaration: string): Promise<string> {
  const folder = join(root, "broken-one");
  await mkdir(folder);
  await writeFile(join(root, "package.json"), JSON.stringify(manifest));
  await writeFile(join(folder, "index.js"), declaration);
  return join(folder, "index.js");
}

describe("a folder that cannot be loaded", () => {
  it("is named by its path, with what is wrong", async () => {
    const path = await writeFolder({ type: "module" }, "export default {;");
    expect(await faultOf()).toContain(`${path} cannot be loaded: Unexpected token`);
  });

  it("is told that its default export is no capability", async () => {
    for (const declaration of ["export default 5", "export default [{}]", "export default []"]) {
      await rm(root, { recursive: true });
      root = await newRoot();
      await writeFolder({ type: "module" }, declaration);
      expect(await faultOf()).toContain("the default export of its index.ts is no capability");
    }
  });

  it("is told of the setting that makes a package one of ES modules", async () => {
    const path = await writeFolder({ type: "commonjs" }, "export default 5");
    expect(await faultOf()).toContain(`${path} cannot be loaded`);
    expect(await faultOf()).toContain(`set in ${join(root, "package.json")} "type": "module"`);
  });

  it("is told by its path when the root itself is not there", async () => {
    await rm(root, { recursive: true });
    expect(await faultOf()).toBe(`The folder of capabilities ${root} cannot be read (ENOENT).`);
  });
});

describe("the catalog of folders", () => {
  it("finds every folder, in the order of the slugs", async () => {
    for (const folder of ["mm-two", "aa-one", "zz-three"]) await writeCapability(root, folder);
    const found = await load(root);
    expect([...found.keys()]).toEqual(["aa-one", "mm-two", "zz-three"]);
    expect(found.get("aa-one")?.vectors).toHaveLength(3);
  });

  it("reads vectors that expect what the contract itself refuses, by the code of the refusal alone", async () => {
    const refused = { input: { text: 5 }, expect_error: "invalid_input" };
    await writeCapability(root, "one-folder", { vectors: [...good.slice(1), refused] });
    const [found] = await loadFolders([root]);
    expect(found?.vectors.at(-1)).toEqual(refused);
    await writeCapability(root, "one-folder", {
      vectors: [...good, { ...refused, expect_error: "no_luck" }],
    });
    await expect(loadFolders([root])).rejects.toThrow("vector 3: `text` must be a string.");
  });

  it("reads vectors that expect a failure", async () => {
    const vectors = [...good.slice(1), { input: { text: "a" }, expect_error: "no_luck" }];
    await writeCapability(root, "one-folder", { vectors });
    const found = await load(root);
    expect(found.get("one-folder")?.vectors.at(-1)).toEqual({
      input: { text: "a" },
      expect_error: "no_luck",
    });
  });

  it("ignores files beside the folders", async () => {
    await writeCapability(root, "one-folder");
    await writeFile(join(root, "README.md"), "not a capability");
    expect((await load(root)).size).toBe(1);
  });

  it("does not import handlers", async () => {
    await writeCapability(root, "one-folder");
    await writeFile(join(root, "one-folder", "handler.ts"), "throw new Error('imported');");
    const found = await load(root);
    await expect(loadHandler(found.get("one-folder")?.folder ?? "")).rejects.toThrow("imported");
  });

  it.each([
    ["a slug that is not the folder's name", { slug: "another-name" }, "its slug is another-name"],
    ["a price that is not whole", { price: "mesh(1.5)" }, "1.5 is not a whole number"],
    ["a negative price", { price: "mesh(-1)" }, "-1 is not a whole number"],
    ["a price that is no number", { price: "mesh(Number.NaN)" }, "NaN is not a whole number"],
    ["a price in dollars on the marketplace", { price: 'usd("1.00")' }, "not in MESH"],
    ["a dollar price that is none", { price: 'usd("1 dollar")' }, "1 dollar"],
    [
      "an unknown surface",
      { offers: '[{ surface: "bazaar" as never, price: mesh(1) }]' },
      "there is no surface bazaar",
    ],
    [
      "a free offer with a price",
      { offers: '[{ surface: "marketplace", access: "free", price: mesh(1) }]' },
      "has a price there",
    ],
    [
      "an offer for VIPs with a price",
      { offers: '[{ surface: "tool-api", access: "vip", price: usd("1.00") }]' },
      "costs VIPs nothing",
    ],
    ["an unknown pool", { pool: "swimming" }, "there is no pool swimming"],
    ["an unknown category", { category: "fun" }, "there is no category fun"],
    ["a version that is none", { version: "one" }, "version one"],
    ["fewer than 3 vectors", { vectors: good.slice(0, 2) }, "fewer than 3 vectors"],
    ["a vector that its own schema refuses", { vectors: [...good, vector({ text: 5 })] }, "vector given"],
    [
      "a vector that expects an output and a failure",
      { vectors: [...good, { input: { text: "a" }, expect: {}, expect_error: "no_luck" }] },
      "either expect or expect_error",
    ],
    ["a vector without an expectation", { vectors: [...good, { input: {} }] }, "expect"],
    [
      "a vector with a misspelt key",
      { vectors: [...good, { input: {}, expect: {}, expects: {} }] },
      "expects",
    ],
    ["vectors that are no list", { vectors: {} }, "vectors.json"],
  ] as const)("refuses %s, and names the folder", async (_what, part, why) => {
    await writeCapability(root, "bad-folder", part);
    const message = await faultOf();
    expect(message).toContain("bad-folder");
    expect(message).toContain(why);
  });

  it.each(["ab", "Upper-case", "under_score", "-leading", "trailing-"])(
    "refuses %s as a slug",
    async (slug) => {
      await writeCapability(root, slug);
      expect(await faultOf()).toContain("3 to 64 of a-z");
    },
  );

  it("refuses a folder without a declaration, vectors or a default export", async () => {
    await writeCapability(root, "no-vectors");
    await rm(join(root, "no-vectors", "vectors.json"));
    await writeCapability(root, "no-declaration");
    await rm(join(root, "no-declaration", "index.ts"));
    await writeCapability(root, "no-default");
    await writeFile(join(root, "no-default", "index.ts"), "export const nothing = 1;");
    await writeCapability(root, "empty-default");
    await writeFile(join(root, "empty-default", "index.ts"), "export default {};");
    const message = await faultOf();
    for (const folder of ["no-vectors", "no-declaration", "no-default", "empty-default"])
      expect(message).toContain(folder);
  });

  it("refuses one slug in two folders, and names both", async () => {
    const second = await newRoot();
    await writeCapability(root, "same-slug");
    await writeCapability(second, "same-slug");
    try {
      const loading = load(root, second);
      await expect(loading).rejects.toThrow(join(root, "same-slug"));
      await expect(loading).rejects.toThrow(join(second, "same-slug"));
    } finally {
      await rm(second, { recursive: true });
    }
  });

  it("names all faults of all folders together", async () => {
    await writeCapability(root, "first-bad", { slug: "other", pool: "swimming" });
    await writeCapability(root, "second-bad", { vectors: [] });
    await writeCapability(root, "good-one");
    const message = await faultOf();
    expect(message).toContain("first-bad: its slug is other; there is no pool swimming");
    expect(message).toContain("second-bad: vectors.json has fewer than 3 vectors");
    expect(message).not.toContain("good-one");
  });
});
