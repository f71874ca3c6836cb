/**
 * What the catalog costs: `GET /api/capabilities` in a second at 64 callers, as a share of what a bare fastify route does
 * right before it with the same bytes; and how long a filtered list takes with 10,000 listings, each time with another
 * filter, so that nothing rendered before is given again.
 *
 * Before that: how long it takes until one row that was listed is shown, and until one that was delisted is not, each
 * a number of times.
 *
 *   BENCH_SECONDS  how long each is measured (3), after a warm-up
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { availableParallelism, cpus } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { runClosedLoop } from "./closed-loop.ts";
import { inProcess, MANY, withPlatform } from "./harness.ts";
import type { Measured } from "./load.ts";

const SECONDS = Number(process.env["BENCH_SECONDS"] ?? 3);
const WARM_UP_SECONDS = 2;
const LISTINGS = 10_000;
const SHARE_AT_LEAST = 0.25;
const P99_AT_MOST_MS = 50;
/** How long all processes may take to compile so many contracts. */
const HEARD_WITHIN_MS = 120_000;
/** How soon each process has to know of one row. */
const ONE_HEARD_WITHIN_MS = 1_000;
const ONE_AT_A_TIME = 21;
const CATEGORIES = ["tooling", "media", "safety", "business"];

console.log(`${cpus()[0]?.model.trim()}, ${availableParallelism()} cores, Node ${process.versions.node}`);

await withPlatform({}, async (platform) => {
  const { baseUrl, databaseUrl } = platform.run();
  await oneAtATime(baseUrl, databaseUrl);
  await besideBare(baseUrl, "as it is");
  await list(databaseUrl);
  const heardMs = await untilListed(baseUrl);
  console.log(`${LISTINGS} listings, listed at once: shown after ${(heardMs / 1000).toFixed(1)} s`);
  await besideBare(baseUrl, "its first page of 1,000");
  let asked = 0;
  const filtered = await runClosedLoop(
    { callers: 1, seconds: SECONDS, warmUpSeconds: WARM_UP_SECONDS },
    async () => {
      const query = `category=${CATEGORIES[asked % CATEGORIES.length]}&q=number+${asked++ % LISTINGS}`;
      const response = await fetch(`${baseUrl}/api/capabilities?${query}`);
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`${response.status}`);
    },
  );
  print("filtered, each time by another filter, 1 caller", filtered);
  const met = filtered.p99Ms < P99_AT_MOST_MS ? "met" : "NOT met";
  console.log(`  p99 under ${P99_AT_MOST_MS} ms: ${met}`);
});

/** Measures the list and then a bare route that sends its bytes. */
async function besideBare(baseUrl: string, what: string): Promise<void> {
  const url = `${baseUrl}/api/capabilities`;
  const text = await (await fetch(url)).text();
  const server = fork(join(import.meta.dirname, "bare.ts"));
  const [bareUrl] = (await once(server, "message")) as [string];
  server.send(text);
  await once(server, "message");
  const bare = await load(`${bareUrl}/bytes`);
  const own = await load(url);
  server.disconnect();
  console.log(`\nGET /api/capabilities, ${what}, ${text.length} bytes`);
  print("bare fastify, the same bytes", bare);
  print("the catalog", own);
  const share = own.perSecond / bare.perSecond;
  console.log(
    `  share ${share.toFixed(2)}, at least ${SHARE_AT_LEAST}: ${share >= SHARE_AT_LEAST ? "met" : "NOT met"}`,
  );
}

async function load(url: string): Promise<Measured> {
  return await inProcess("load.ts", {
    url,
    method: "GET",
    callers: MANY,
    seconds: SECONDS,
    warmUpSeconds: WARM_UP_SECONDS,
    headers: [{}],
    body: null,
  });
}

function print(what: string, { perSecond, p50Ms, p99Ms, faults }: Measured): void {
  console.log(
    `  ${what.padEnd(50)} ${perSecond.toFixed(0).padStart(7)}/s  p50 ${p50Ms.toFixed(1)} ms  p99 ${p99Ms.toFixed(1)} ms${faults > 0 ? `  ${faults} FAULTS` : ""}`,
  );
}

/** Lists and delists single rows, and looks how soon the platform shows that. */
async function oneAtATime(baseUrl: string, databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const [shown, gone]: [number[], number[]] = [[], []];
  const timed = async (times: number[], sql: string, slug: string, isShown: boolean): Promise<void> => {
    await client.query(sql, [slug]);
    const startedMs = performance.now();
    await client.query("select pg_notify('meshforge_wakes', $1)", [`k${slug}`]);
    while ((await fetch(`${baseUrl}/api/capabilities/${slug}`)).ok !== isShown) await sleep(1);
    times.push(performance.now() - startedMs);
  };
  for (let n = 0; n < ONE_AT_A_TIME; n++) {
    await timed(
      shown,
      `with c as (insert into capabilities (slug, version, provider_id)
                  select $1, '1.0.0', id from accounts where handle = 'bench-0')
       insert into listings (slug, name, category, summary, price, handler, input_schema)
       values ($1, 'One', 'tooling', 'One row.', 1, 'test-work', '{}')`,
      `one-${n}`,
      true,
    );
    await timed(gone, "update listings set delisted_at = now() where slug = $1", `one-${n}`, false);
  }
  await client.end();
  console.log(`\none row, ${ONE_AT_A_TIME} times`);
  for (const [what, times] of [["shown", shown] as const, ["gone", gone] as const]) {
    const [median = 0, most] = [times.toSorted((a, b) => a - b)[times.length >> 1], Math.max(...times)];
    const met = most < ONE_HEARD_WITHIN_MS ? "met" : "NOT met";
    console.log(
      `  ${what} after ${median.toFixed(1)} ms (median), at most ${most.toFixed(1)} ms; under a second: ${met}`,
    );
  }
}

/** Lists them in one transaction, and wakes the processes of the platform, whose bus is its database. */
async function list(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const schema = {
    type: "object",
    properties: {
      text: { type: "string", maxLength: 1_000, pattern: "^\\S" },
      count: { type: "integer", minimum: 0 },
    },
    required: ["text"],
  };
  await client.query("begin");
  await client.query(
    `insert into capabilities (slug, version, provider_id)
     select 'listing-' || n, '1.0.0', (select id from accounts where handle = 'bench-0') from generate_series(1, $1) n`,
    [LISTINGS],
  );
  await client.query(
    `insert into listings (slug, name, category, summary, price, handler, input_schema)
     select 'listing-' || n, 'Listing ' || n, ($2::text[])[1 + n % 4], 'A listing of the benchmark, number ' || n || '.', 1,
            'test-work', $3
       from generate_series(1, $1) n`,
    [LISTINGS, CATEGORIES, JSON.stringify(schema)],
  );
  await client.query("commit");
  await client.query("select pg_notify('meshforge_wakes', 'klisting-1')");
  await client.end();
}

async function untilListed(baseUrl: string): Promise<number> {
  const startedMs = performance.now();
  while (performance.now() - startedMs < HEARD_WITHIN_MS) {
    if ((await fetch(`${baseUrl}/api/capabilities/listing-${LISTINGS}`)).ok)
      return performance.now() - startedMs;
    await sleep(50);
  }
  throw new Error(`the listings were not shown within ${HEARD_WITHIN_MS} ms`);
}
