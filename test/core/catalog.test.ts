import { rm } from "node:fs/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Catalog } from "../../src/core/catalog/catalog.ts";
import { loadFolders } from "../../src/core/catalog/folders.ts";
import { newRoot, writeCapability } from "./capability-folders.ts";

let root: string;
beforeEach(async () => {
  root = await newRoot();
});
afterEach(() => rm(root, { recursive: true, force: true }));

const TWICE =
  '[{ surface: "marketplace", price: mesh(3) }, { surface: "tool-api", name: "twin", price: usd("0.01") }]';

it("finds a capability at each surface by what it is called there, at its price there", async () => {
  await writeCapability(root, "sold-twice", { offers: TWICE });
  const catalog = new Catalog(await loadFolders([root]));
  expect(catalog.find("marketplace", "sold-twice")?.offer.price).toEqual({ currency: "MESH", amount: 3 });
  expect(catalog.find("tool-api", "twin")?.offer.price).toEqual({ currency: "USD", amount: 10_000 });
  expect(catalog.find("tool-api", "sold-twice")).toBeUndefined();
  expect(catalog.find("tool-api", "twin")?.capability).toBe(catalog.bySlug("sold-twice"));
});

it("sells nowhere what has no offer, and still finds it by its slug", async () => {
  await writeCapability(root, "only-inside", { offers: "[]" });
  const catalog = new Catalog(await loadFolders([root]));
  expect(catalog.snapshot.sold("marketplace")).toEqual([]);
  expect(catalog.find("marketplace", "only-inside")).toBeUndefined();
  expect(catalog.bySlug("only-inside")?.slug).toBe("only-inside");
});

it("refuses two of one name on a surface, and then keeps what it had", async () => {
  await writeCapability(root, "sold-twice", { offers: TWICE });
  const [one] = await loadFolders([root]);
  if (one === undefined) throw new Error("nothing was declared");
  const catalog = new Catalog([one]);
  const { version, snapshot } = catalog;
  expect(() => catalog.replace([one, { ...one, slug: "another" }])).toThrow("sold-twice on the marketplace");
  expect(catalog).toMatchObject({ version, snapshot });
});

it("swaps its snapshot whole: who holds one sees no change", async () => {
  await writeCapability(root, "first-one");
  const [one] = await loadFolders([root]);
  if (one === undefined) throw new Error("nothing was declared");
  const catalog = new Catalog([one]);
  const before = catalog.snapshot;
  catalog.replace([]);
  expect(before.find("marketplace", "first-one")?.capability).toBe(one);
  expect(catalog.find("marketplace", "first-one")).toBeUndefined();
});
