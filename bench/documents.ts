/**
 * What a state tool costs while everybody changes the same document: calls in a second over HTTP, settled and paid, at 64
 * callers of 16 accounts, as a share of what the empty inline capability does right before it.
 *
 *   BENCH_SECONDS  how long each is measured in each round (3), after a warm-up
 */
import { availableParallelism, cpus } from "node:os";
import { type Account, headersOf, inProcess, MANY, withPlatform } from "./harness.ts";
import type { Measured } from "./load.ts";

const SECONDS = Number(process.env["BENCH_SECONDS"] ?? 3);
const WARM_UP_SECONDS = 1;
/** The compiler goes on improving the way that all calls take for some seconds. */
const FIRST_WARM_UP_SECONDS = 6;
/** The median of them counts: other users of the machine and the database's own upkeep come and go. */
const ROUNDS = 5;
/** Of the calls a second of the inline capability. */
const TARGET = 0.7;

const INLINE = { slug: "test-inline", body: {} };
const HOT = { slug: "test-state", body: { purse: "hot" } };

type Round = { readonly inline: Measured; readonly hot: Measured; readonly share: number };

console.log(`${cpus()[0]?.model.trim()}, ${availableParallelism()} cores, Node ${process.versions.node}`);

await withPlatform({}, async (platform, accounts) => {
  const { baseUrl } = platform.run();
  const rounds: Round[] = [];
  await measure(baseUrl, accounts, INLINE, FIRST_WARM_UP_SECONDS);
  await measure(baseUrl, accounts, HOT, FIRST_WARM_UP_SECONDS);
  for (let nth = 1; nth <= ROUNDS; nth++) {
    const inline = await measure(baseUrl, accounts, INLINE, WARM_UP_SECONDS);
    const hot = await measure(baseUrl, accounts, HOT, WARM_UP_SECONDS);
    const share = hot.perSecond / inline.perSecond;
    console.log(
      `round ${nth}: ${Math.round(hot.perSecond)} of ${Math.round(inline.perSecond)}/s, ${share.toFixed(2)}`,
    );
    rounds.push({ inline, hot, share });
  }
  print(rounds.toSorted((a, b) => a.share - b.share));
});

async function measure(
  baseUrl: string,
  accounts: readonly Account[],
  { slug, body }: { readonly slug: string; readonly body: object },
  warmUpSeconds: number,
): Promise<Measured> {
  return await inProcess("load.ts", {
    url: `${baseUrl}/api/call/${slug}`,
    method: "POST",
    callers: MANY,
    seconds: SECONDS,
    warmUpSeconds,
    headers: headersOf(accounts),
    body: JSON.stringify(body),
  });
}

function print(rounds: readonly Round[]): void {
  const { inline, hot, share } = rounds[rounds.length >> 1] as Round;
  const faults = rounds.reduce((sum, round) => sum + round.hot.faults, 0);
  const verdict = share >= TARGET ? "target met" : `TARGET NOT MET (${TARGET})`;
  const [lowest, highest] = [rounds[0], rounds.at(-1)].map((round) => round?.share.toFixed(2));
  console.log(`\n${"".padEnd(26)}       1/s   p50 ms   p99 ms`);
  for (const [name, { perSecond, p50Ms, p99Ms }] of [
    ["inline, many accounts", inline],
    ["one hot document", hot],
  ] as const) {
    console.log(`${name.padEnd(26)}  ${String(Math.round(perSecond)).padStart(8)}  ${p50Ms.toFixed(1).padStart(7)}  ${p99Ms.toFixed(1).padStart(7)}`); // prettier-ignore
  }
  console.log(
    `share ${share.toFixed(2)} (${lowest} to ${highest}), ${faults > 0 ? `${faults} WITHOUT SUCCESS` : verdict}`,
  );
}
