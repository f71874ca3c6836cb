import type { Db } from "../../src/core/db.ts";

/** Each part of a schema by its name, and what the server says of it. */
export type SchemaCatalog = Readonly<Record<string, string>>;

const PARTS = `
  with mine as (select oid from pg_namespace where nspname = 'public')
  select 'table ' || c.relname as name,
         concat_ws(' ', c.relkind, c.relpersistence, c.reloptions::text, c.relacl::text,
                   pg_get_partkeydef(c.oid), pg_get_expr(c.relpartbound, c.oid)) as what
    from pg_class c where c.relnamespace in (select oid from mine) and c.relkind in ('r', 'p', 'S', 'v', 'c')
  union all
  select 'column ' || c.relname || '.' || a.attname,
         concat_ws(' ', format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity, a.attgenerated, a.attstorage,
                   a.attacl::text, l.collname, pg_get_expr(d.adbin, d.adrelid))
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    left join pg_collation l on l.oid = a.attcollation
   where c.relnamespace in (select oid from mine) and c.relkind in ('r', 'p', 'v', 'c')
  union all
  select 'index ' || c.relname, concat_ws(' ', pg_get_indexdef(i.indexrelid), i.indisvalid, i.indisready)
    from pg_index i join pg_class c on c.oid = i.indexrelid where c.relnamespace in (select oid from mine)
  union all
  select 'constraint ' || c.conrelid::regclass || ' ' || c.conname, concat_ws(' ', pg_get_constraintdef(c.oid), c.convalidated)
    from pg_constraint c where c.connamespace in (select oid from mine)
  union all
  select 'function ' || p.oid::regprocedure, pg_get_functiondef(p.oid) || coalesce(p.proacl::text, '')
    from pg_proc p where p.pronamespace in (select oid from mine)
  union all
  select 'trigger ' || t.tgrelid::regclass || ' ' || t.tgname, concat_ws(' ', pg_get_triggerdef(t.oid), t.tgenabled)
    from pg_trigger t join pg_class c on c.oid = t.tgrelid
   where c.relnamespace in (select oid from mine) and not t.tgisinternal`;

/** All that makes up the schema of a database: tables, columns, indexes, constraints, functions, triggers, grants. */
export async function readSchemaCatalog(owner: Db): Promise<SchemaCatalog> {
  const rows = await owner.query<{ name: string; what: string }>(PARTS);
  return Object.fromEntries(rows.map(({ name, what }) => [name, what]));
}
