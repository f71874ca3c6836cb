import pg from "pg";

/** A database of somebody's own on a server. */
export type OwnDatabase = { readonly url: string; readonly drop: () => Promise<void> };

/** Makes a database on the server of `serverUrl`, empty or as a copy of a template. */
export async function createOwnDatabase(
  serverUrl: string,
  name: string,
  template = "template1",
): Promise<OwnDatabase> {
  await query(serverUrl, `create database ${name} template ${template}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => query(serverUrl, `drop database ${name} with (force)`) };
}

/** Makes an empty database, lends its address, and drops it. */
export async function withOwnDatabase<T>(
  serverUrl: string,
  name: string,
  use: (url: string) => Promise<T> | T,
): Promise<T> {
  const { url, drop } = await createOwnDatabase(serverUrl, name);
  try {
    return await use(url);
  } finally {
    await drop();
  }
}

async function query(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
