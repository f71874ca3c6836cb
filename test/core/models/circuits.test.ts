import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Circuits, type Passage } from "../../../src/core/models/circuits.ts";
import { ModelFault, type ModelFaultKind } from "../../../src/core/models/client.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { until } from "../../support/until.ts";
import { letPass } from "../../support/let-pass.ts";

const THRESHOLD = 5;
/** Longer than an answer about open circuits may be old. */
const SEEN_MS = 600;
const passage: Passage = {
  tier: "small",
  longestMs: 1_000,
  usualMs: 1_000,
  again: false,
  signal: new AbortController().signal,
};

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(() => database.owner.query("delete from model_circuits"));

const failing = (kind: ModelFaultKind) => (): Promise<never> => Promise.reject(new ModelFault(kind));
const good = (): Promise<string> => Promise.resolve("good");
async function fail(circuits: Circuits, kind: ModelFaultKind, times: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    await expect(circuits.through(passage, failing(kind))).rejects.toMatchObject({ kind });
  }
}
/** As if the time that it stays open were over. */
const letTimePass = (): Promise<unknown> =>
  database.owner.query("update model_circuits set open_until = clock_timestamp() - interval '1 ms'");
const openForMs = async (): Promise<number> => {
  const [row] = await database.owner.query<{ ms: number }>(
    "select (extract(epoch from open_until - clock_timestamp()) * 1000)::integer as ms from model_circuits",
  );
  return row?.ms ?? 0;
};

describe("a server that fails again and again", () => {
  it.each(["failing", "slow"] as const)("(%s) is not asked any more, by any process", async (kind) => {
    const [a, b] = [new Circuits(database.app), new Circuits(database.app)];
    await fail(a, kind, THRESHOLD - 1);
    expect(await b.through(passage, good)).toBe("good");
    await fail(a, kind, THRESHOLD);
    let asked = false;
    const asking = b.through(passage, () => {
      asked = true;
      return good();
    });
    await expect(asking).rejects.toMatchObject({ kind: "open", retryAfterMs: expect.any(Number) });
    expect(asked).toBe(false);
    expect(await new Circuits(database.app).openMs("small")).toBeGreaterThan(0);
    expect(await new Circuits(database.app).closedToCallsMs("small")).toBeGreaterThan(0);
    expect(await new Circuits(database.app).closedToCallsMs("large")).toBeNull();
  });

  it("is asked on when it is one question that fails again and again", async () => {
    const circuits = new Circuits(database.app);
    const retry = { ...passage, again: true };
    await fail(circuits, "failing", 1);
    for (let nth = 1; nth < 2 * THRESHOLD; nth++)
      await expect(circuits.through(retry, failing("failing"))).rejects.toMatchObject({ kind: "failing" });
    expect(await circuits.through(passage, good)).toBe("good");
    // As a probe it tells like any other.
    await fail(circuits, "failing", THRESHOLD);
    await letTimePass();
    await expect(circuits.through(retry, failing("failing"))).rejects.toMatchObject({ kind: "failing" });
    expect(await openForMs()).toBeGreaterThan(0);
  });

  it("is asked by one request alone when its time is over, and by all when that is answered", async () => {
    const [a, b] = [new Circuits(database.app), new Circuits(database.app)];
    await fail(a, "failing", THRESHOLD);
    await letTimePass();
    const answer = Promise.withResolvers<string>();
    const probe = a.through(passage, () => answer.promise);
    await until(
      async () =>
        (await database.owner.query("select from model_circuits where probe is not null")).length === 1,
    );
    expect(await new Circuits(database.app).closedToCallsMs("small")).toBeGreaterThan(0);
    expect(await new Circuits(database.app).openMs("small")).toBeNull();
    let asked = false;
    const second = b.through(passage, () => {
      asked = true;
      return good();
    });
    await letPass(300);
    expect(asked).toBe(false);
    answer.resolve("good");
    expect(await probe).toBe("good");
    expect(await second).toBe("good");
    await letPass(SEEN_MS);
    expect(await a.closedToCallsMs("small")).toBeNull();
  });

  it("is left alone twice as long when the probe fails as well, but no longer than half a minute", async () => {
    const circuits = new Circuits(database.app);
    await fail(circuits, "failing", THRESHOLD);
    const times: number[] = [];
    for (let time = 0; time < 6; time++) {
      times.push(Math.ceil((await openForMs()) / 1_000));
      await letTimePass();
      await fail(circuits, "failing", 1);
    }
    expect(times).toEqual([2, 4, 8, 16, 30, 30]);
  });

  it("is probed by another when the process of the first probe died", async () => {
    const circuits = new Circuits(database.app);
    await fail(circuits, "failing", THRESHOLD);
    await database.owner.query(
      "update model_circuits set open_until = clock_timestamp(), probe = 'dead', probe_until = clock_timestamp() + interval '300 ms'",
    );
    expect(await circuits.through(passage, good)).toBe("good");
  });

  it("is probed by another when the first probe was given up", async () => {
    const circuits = new Circuits(database.app);
    await fail(circuits, "failing", THRESHOLD);
    await letTimePass();
    await fail(circuits, "aborted", 1);
    expect(await circuits.through(passage, good)).toBe("good");
  });
});

describe("the circuit", () => {
  it("opens at once for a server that takes no request of ours", async () => {
    const circuits = new Circuits(database.app);
    await fail(circuits, "unusable", 1);
    expect(await circuits.openMs("small")).toBeGreaterThan(0);
  });

  it.each(["refused", "busy", "garbled", "aborted"] as const)(
    "stays closed however often a request is %s",
    async (kind) => {
      const circuits = new Circuits(database.app);
      await fail(circuits, kind, 2 * THRESHOLD);
      expect(await circuits.through(passage, good)).toBe("good");
    },
  );

  it("counts failures in a row only", async () => {
    const circuits = new Circuits(database.app);
    for (let time = 0; time < 3; time++) {
      await fail(circuits, "failing", THRESHOLD - 1);
      expect(await circuits.through(passage, good)).toBe("good");
    }
  });

  it("counts no request that had little time to be answered", async () => {
    const circuits = new Circuits(database.app);
    const hurried = { ...passage, longestMs: 500, usualMs: 45_000 };
    for (let time = 0; time < 2 * THRESHOLD; time++) {
      await expect(circuits.through(hurried, failing("slow"))).rejects.toMatchObject({ kind: "slow" });
    }
    expect(await circuits.through(passage, good)).toBe("good");
  });

  it("hears no more of requests that were under way when it opened", async () => {
    const circuits = new Circuits(database.app);
    const late = Array.from({ length: 3 }, () => Promise.withResolvers<never>());
    const underWay = late.map(({ promise }) =>
      circuits.through(passage, () => promise).catch(() => undefined),
    );
    await letPass(50);
    await fail(circuits, "failing", THRESHOLD);
    for (const { reject } of late) reject(new ModelFault("failing"));
    await Promise.all(underWay);
    expect(await openForMs()).toBeLessThanOrEqual(2_000);
  });
});
