import { setTimeout as sleep } from "node:timers/promises";
import type { Book } from "./book.ts";
import type { Hints } from "./hints.ts";
import type { ChaosPlatform, Target } from "./platform.ts";
import type { Random } from "./random.ts";

const PAUSE_MS = { min: 300, max: 2_000 };
/** Past a lease of 5 s. */
const FREEZE_MS = { min: 5_500, max: 8_000 };
/** Long enough to be noticed, and for a call to be given up that nobody runs. */
const REDIS_AWAY_MS = { min: 1_500, max: 5_000 };
const CALLS_IN_A_HINT = 20;

const DEEDS = ["kill api", "kill worker", "kill postgres", "freeze worker", "drain worker", "drop hints", "duplicate hints", "kill redis", "freeze redis"] as const; // prettier-ignore
type Deed = (typeof DEEDS)[number];

/** How often each is done: some break more at once than others. */
const LOTS: readonly [Deed, ...Deed[]] = [
  "kill api",
  "kill api",
  "kill api",
  "kill worker",
  "kill worker",
  "kill worker",
  "kill postgres",
  "freeze worker",
  "freeze worker",
  "drain worker",
  "drop hints",
  "drop hints",
  "duplicate hints",
  "duplicate hints",
  "kill redis",
  "freeze redis",
];

export type Deeds = Readonly<Partial<Record<Deed, number>>>;

/** Breaks one thing after another until `stopped`: each kind of deed once, then at random. Gives how many it did. */
export async function runMonkey(options: {
  readonly platform: ChaosPlatform;
  readonly hints: Hints;
  readonly book: Book;
  readonly random: Random;
  readonly stopped: AbortSignal;
}): Promise<Deeds> {
  const { hints, random, stopped } = options;
  const isPossible = (deed: Deed): boolean => hints.outages !== null || !deed.endsWith("redis");
  const possible = DEEDS.filter(isPossible);
  const done = Object.fromEntries(possible.map((deed) => [deed, 0])) as Record<Deed, number>;
  const first = shuffled(possible, random);
  const thawing: Promise<void>[] = [];
  while (!stopped.aborted) {
    await sleep(random.int(PAUSE_MS.min, PAUSE_MS.max), undefined, { signal: stopped }).catch(
      () => undefined,
    );
    const deed = first.at(-1) ?? random.pick(LOTS);
    if (!isPossible(deed) || !(await attempt(deed, options, thawing))) continue;
    done[deed]++;
    first.pop();
  }
  await Promise.all(thawing);
  return done;
}

const redisAway = new WeakSet<Hints>();

/** True if it could be done: what it is done to may be gone at this moment. */
async function attempt(
  deed: Deed,
  { platform, hints, book, random }: Parameters<typeof runMonkey>[0],
  thawing: Promise<void>[],
): Promise<boolean> {
  switch (deed) {
    case "kill api":
      return signal(choose(platform, "api", random), "SIGKILL");
    case "kill worker":
      return signal(choose(platform, "worker", random), "SIGKILL");
    case "kill postgres":
      return signal(choose(platform, "postgres", random), "SIGKILL");
    case "drain worker":
      return signal(choose(platform, "worker", random), "SIGTERM");
    case "freeze worker": {
      const target = choose(platform, "worker", random);
      if (!signal(target, "SIGSTOP")) return false;
      thawing.push(
        sleep(random.int(FREEZE_MS.min, FREEZE_MS.max)).then(() => void signal(target, "SIGCONT")),
      );
      return true;
    }
    case "kill redis":
    case "freeze redis": {
      // One outage at a time: each ends with a server that answers.
      if (hints.outages === null || redisAway.has(hints)) return false;
      redisAway.add(hints);
      const away = hints.outages[deed](random.int(REDIS_AWAY_MS.min, REDIS_AWAY_MS.max));
      thawing.push(away.finally(() => redisAway.delete(hints)));
      return true;
    }
    case "drop hints":
      return await hints.drop().then(yes, no);
    default:
      return await hints.duplicate(newest(book)).then(yes, no);
  }
}

const yes = (): boolean => true;
/** The database is away just now. */
const no = (): boolean => false;

const newest = ({ entries }: Book): string[] =>
  entries.slice(-CALLS_IN_A_HINT).flatMap(({ callId }) => (callId === null ? [] : [callId]));

function choose(platform: ChaosPlatform, kind: Target["kind"], random: Random): Target | undefined {
  const [first, ...rest] = platform.targets().filter((target) => target.kind === kind);
  return first === undefined ? undefined : random.pick([first, ...rest]);
}

function signal(target: Target | undefined, name: NodeJS.Signals): boolean {
  try {
    return target !== undefined && process.kill(target.pid, name);
  } catch {
    return false;
  }
}

function shuffled<T>(list: readonly T[], random: Random): T[] {
  return list
    .map((item) => ({ item, place: random.next() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
