import pg from "pg";

/** Rows at a time: a row may hold an input of some megabytes. */
const ROWS_AT_ONCE = 20;
const BATCH_CHARS = 1_048_576;
const BATCH_ROWS = 500;

/** What `migrate` writes itself when it makes a schema. */
const BOOKS = new Set(["migrations", "schema_version"]);

/** Every value in the one way of writing it that reads back as the same. */
const EXACT = "set local datestyle = 'ISO'; set local timezone = 'UTC'; set local intervalstyle = 'postgres'; set local extra_float_digits = 3; set local bytea_output = 'hex'"; // prettier-ignore

/** Tables that outlive their server: what is unlogged is of the moment. Partitions come with what they are parts of. */
const TABLES = `
  select relname as name from pg_class
   where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relpersistence = 'p' and not relispartition
   order by relname`;
const PARTITIONS = `
  select c.relname as name, p.relname as of, pg_get_expr(c.relpartbound, c.oid) as bound
    from pg_class c join pg_inherits i on i.inhrelid = c.oid join pg_class p on p.oid = i.inhparent
   where c.relnamespace = 'public'::regnamespace and c.relispartition and c.relkind = 'r'
   order by 1`;
const SEQUENCES = `
  select s.sequencename as name, s.last_value::text as last from pg_sequences s
    join pg_class c on c.relname = s.sequencename and c.relnamespace = 'public'::regnamespace
   where s.schemaname = 'public' and s.last_value is not null and c.relpersistence = 'p'
   order by 1`;
const BOUND = /^FOR VALUES FROM \('[^']*'\) TO \('[^']*'\)$/;

/** A piece of a database: a row as PostgreSQL writes it, a partition, or where a sequence stands. */
export type DumpRecord =
  | { readonly table: string; readonly row: string }
  | { readonly partition: string; readonly of: string; readonly bound: string }
  | { readonly sequence: string; readonly last: string };

export type Migration = { readonly name: string; readonly sha256: string };

/** The numbered files that made the schema of a database. */
export async function migrationsOf(url: string): Promise<Migration[]> {
  return await connected(url, async (client) => {
    const { rows } = await client.query<Migration>(
      "select name, sha256 from migrations where name !~ '(^|/)(functions|triggers|grants)/' order by name",
    );
    return rows;
  });
}

/** Hands on all that a database keeps, as of one moment, while others go on using it. */
export async function dumpDatabase(url: string, take: (record: DumpRecord) => Promise<void>): Promise<void> {
  await connected(url, async (client) => {
    await client.query(`begin isolation level repeatable read read only; ${EXACT}`);
    const { rows: partitions } = await client.query<{ name: string; of: string; bound: string }>(PARTITIONS);
    for (const { name, of, bound } of partitions) {
      if (bound !== "DEFAULT") await take({ partition: name, of, bound });
    }
    for (const table of await tablesOf(client)) {
      await client.query(
        `declare each_row no scroll cursor for select whole_row::text as row from ${pg.escapeIdentifier(table)} whole_row`,
      );
      for (;;) {
        const { rows } = await client.query<{ row: string }>(`fetch ${ROWS_AT_ONCE} from each_row`);
        for (const { row } of rows) await take({ table, row });
        if (rows.length < ROWS_AT_ONCE) break;
      }
      await client.query("close each_row");
    }
    const { rows: sequences } = await client.query<{ name: string; last: string }>(SEQUENCES);
    for (const { name, last } of sequences) await take({ sequence: name, last });
    await client.query("commit");
  });
}

/**
 * Puts what was dumped into a database of the same schema, in one transaction, in place of what is there. As a superuser:
 * the triggers that guard the tables would refuse entries that were made before.
 */
export async function loadDatabase(url: string, records: AsyncIterable<DumpRecord>): Promise<void> {
  await connected(url, async (client) => {
    await client.query(`begin; set local session_replication_role = replica; ${EXACT}`);
    const tables = new Set(await tablesOf(client));
    await client.query(`truncate ${[...tables].map((name) => pg.escapeIdentifier(name)).join(", ")}`);
    let [table, rows, chars]: [string, string[], number] = ["", [], 0];
    const flush = async (): Promise<void> => {
      if (rows.length > 0) await insert(client, table, rows);
      [rows, chars] = [[], 0];
    };
    for await (const record of records) {
      if ("partition" in record) await makePartition(client, record, tables);
      else if ("sequence" in record) {
        await client.query("select setval(quote_ident($1)::regclass, $2)", [record.sequence, record.last]);
      } else {
        if (record.table !== table || chars > BATCH_CHARS || rows.length >= BATCH_ROWS) await flush();
        if (!tables.has(record.table)) throw new Error(`The schema has no table ${record.table}.`);
        table = record.table;
        rows.push(record.row);
        chars += record.row.length;
      }
    }
    await flush();
    await client.query("commit; analyze");
  });
}

async function insert(client: pg.Client, table: string, rows: readonly string[]): Promise<void> {
  const { rows: columns } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute
      where attrelid = quote_ident($1)::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    [table],
  );
  const names = columns.map(({ name }) => pg.escapeIdentifier(name));
  const into = pg.escapeIdentifier(table);
  // Without the offset each row would be read once for each of its columns.
  await client.query(
    `insert into ${into} (${names.join(", ")}) overriding system value
     select ${names.map((name) => `(one.r).${name}`).join(", ")}
       from (select text_row::${into} as r from unnest($1::text[]) text_row offset 0) one`,
    [rows],
  );
}

async function makePartition(
  client: pg.Client,
  { partition, of, bound }: { readonly partition: string; readonly of: string; readonly bound: string },
  tables: ReadonlySet<string>,
): Promise<void> {
  if (!tables.has(of) || !BOUND.test(bound)) throw new Error(`The schema has no partition ${partition}.`);
  await client.query(
    `create table if not exists ${pg.escapeIdentifier(partition)} partition of ${pg.escapeIdentifier(of)} ${bound}`,
  );
}

async function tablesOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(TABLES);
  return rows.map(({ name }) => name).filter((name) => !BOOKS.has(name));
}

async function connected<T>(url: string, act: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: "meshforge backup" });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return await act(client);
  } finally {
    await client.end();
  }
}
