import pg from "pg";

/** Makes a database on the server of `serverUrl`, lends its address, and drops it. */
export async function withOwnDatabase<T>(
  serverUrl: string,
  name: string,
  use: (url: string) => Promise<T> | T,
): Promise<T> {
  await query(serverUrl, `create database ${name}`);
  try {
    const url = new URL(serverUrl);
    url.pathname = `/${name}`;
    return await use(url.href);
  } finally {
    await query(serverUrl, `drop database ${name} with (force)`);
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
