import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readSchema } from "../../src/adapters/postgres/schema-files.ts";
import { leaveEffects } from "../../src/core/effects.ts";
import { newId } from "../../src/core/ids.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { openAccount } from "./support.ts";

const FEATURES = join(import.meta.dirname, "../../src/features");

let database: TestDatabase;
let account: string;
beforeAll(async () => {
  database = await createTestDatabase();
  account = (await openAccount(database.owner, 0)).id;
});
afterAll(async () => {
  expect(await database.violations()).toBe(0);
  await database.drop();
});

/** The tables that stand in the migrations of features. */
async function tablesOfFeatures(): Promise<string[]> {
  const { numbered } = await readSchema();
  return numbered
    .filter(({ name }) => name.includes("/"))
    .flatMap(({ sql }) => [...sql.matchAll(/^create table (\w+)/gm)].map(([, table]) => table ?? ""));
}

describe("what a feature keeps", () => {
  it("is written by its effects, and by nothing else that the service may do", async () => {
    const tables = await tablesOfFeatures();
    expect(tables).toEqual(expect.arrayContaining(["audit_consents", "receptionists", "receptionist_leads"]));
    const rights = await database.owner.query<{ name: string; privilege: string }>(
      `select t.name, p.privilege from unnest($1::text[]) t(name)
         cross join unnest(array['insert', 'update', 'delete', 'truncate']) p(privilege)
        where has_table_privilege('meshforge_app', t.name, p.privilege)
           or (p.privilege in ('insert', 'update') and has_any_column_privilege('meshforge_app', t.name, p.privilege))`,
      [tables],
    );
    expect(rights).toEqual([]);
  });

  it("is written by no statement beside the SQL of its folder", () => {
    const writing = globSync("**/*.ts", { cwd: FEATURES }).filter((file) =>
      /\b(?:insert into|update \w+(?: \w+)? set|delete from) /.test(
        readFileSync(join(FEATURES, file), "utf8"),
      ),
    );
    expect(writing).toEqual([]);
  });
});

const consent = (id: string, asset: string) => ({ kind: "audit_consent", data: { id, asset } });

describe("effects that no call leaves behind", () => {
  it("are made in the order of the list, all or none", async () => {
    const [first, second] = [newId("cns"), newId("cns")];
    await leaveEffects(database.app, account, [consent(first, "a.example"), consent(second, "b.example")]);
    const kept = async () =>
      (
        await database.owner.query<{ asset: string }>(
          "select asset from audit_consents where account_id = $1 order by id",
          [account],
        )
      ).map(({ asset }) => asset);
    expect(await kept()).toEqual(["a.example", "b.example"]);
    await expect(
      leaveEffects(database.app, account, [consent(newId("cns"), "c.example"), consent(first, "d.example")]),
    ).rejects.toThrow(/audit_consents_pkey/);
    expect(await kept()).toEqual(["a.example", "b.example"]);
  });

  it("are refused where a kind belongs to a call alone, or is none", async () => {
    const page = { slug: "x-1", vertical: "dental", business: "X", area: null };
    await expect(leaveEffects(database.app, account, [{ kind: "receptionist", data: page }])).rejects.toThrow(
      /call_id/,
    );
    await expect(leaveEffects(database.app, account, [{ kind: "no_such_kind", data: {} }])).rejects.toThrow(
      /effect_no_such_kind/,
    );
  });

  it("are the functions' own: nobody calls one by itself", async () => {
    await expect(
      database.app.query("select effect_audit_consent(null, $1, '{}')", [account]),
    ).rejects.toThrow(/permission denied/);
  });
});
