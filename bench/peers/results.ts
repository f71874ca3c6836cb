import { randomUUID } from "node:crypto";
import pg from "pg";
import { CALL_LIMIT_MS } from "./peer.ts";

const CHANNEL = "results";

/** Results as rows, for queues on PostgreSQL that tell no caller of the end of its job. */
const RESULTS_TABLE = "create table results (call uuid primary key, output text not null)";

/** Keeps what the calls of a list gave, and tells it to who waits for them, as one statement and transaction. */
export const KEEP_RESULTS = `
  with kept as (
    insert into results select * from unnest($1::uuid[], $2::text[]) returning call, output
  )
  select pg_notify('${CHANNEL}', call || ' ' || output) from kept`;

/** What travels with a job. */
export type Payload = { readonly call: string; readonly text: string };

/** The parameters of KEEP_RESULTS. */
export const resultsOf = (jobs: readonly Payload[]): [calls: string[], outputs: string[]] => [
  jobs.map(({ call }) => call),
  jobs.map(({ text }) => text),
];

/** Listens for results; gives what queues a job by `add` and resolves with its result. */
export async function awaitResults(
  url: string,
  add: (payload: Payload) => Promise<unknown>,
): Promise<(text: string) => Promise<string>> {
  const waiting = new Map<string, (output: string) => void>();
  const listener = new pg.Client({ connectionString: url });
  await listener.connect();
  listener.on("notification", ({ payload = "" }) => {
    const space = payload.indexOf(" ");
    waiting.get(payload.slice(0, space))?.(payload.slice(space + 1));
  });
  await listener.query(`listen ${CHANNEL}`);
  return async (text) => {
    const call = randomUUID();
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const timer = setTimeout(() => reject(new Error(`no result of ${call}`)), CALL_LIMIT_MS);
    waiting.set(call, resolve);
    try {
      await add({ call, text });
      return await promise;
    } finally {
      clearTimeout(timer);
      waiting.delete(call);
    }
  };
}

/** Makes the table of results in a new database. */
export async function createResults(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(RESULTS_TABLE);
  await client.end();
}
