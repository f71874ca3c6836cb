import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { Wake, WakeBus } from "../../../src/core/calls/dispatch.ts";
import { ModelSlots } from "../../../src/core/models/slots.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { until } from "../../support/until.ts";
import { letPass } from "../../support/let-pass.ts";

const LIMITS = { small: 3, large: 1, image: 1 };
const never = new AbortController().signal;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(() => database.owner.query("delete from model_slots"));

/** A bus within this process; `lossy` carries nothing. */
function createBus(lossy = false): WakeBus {
  const hearers: ((wakes: readonly Wake[]) => void)[] = [];
  return {
    publish: (wakes) => {
      if (!lossy) setImmediate(() => hearers.forEach((hear) => hear(wakes)));
    },
    subscribe: (hear) => {
      hearers.push(hear);
      return Promise.resolve();
    },
    close: () => Promise.resolve(),
  };
}

/** What a process of its own would have. */
const processes = (count: number, bus = createBus()): ModelSlots[] =>
  Array.from(
    { length: count },
    () =>
      new ModelSlots({
        db: database.app,
        bus,
        limits: LIMITS,
        onError: (error) => {
          throw error;
        },
      }),
  );
const rows = async (): Promise<{ tier: string; held: boolean }[]> =>
  await database.owner.query("select tier, held from model_slots");

it("never gives more turns at once than the limit, whatever number of processes asks", async () => {
  let atOnce = 0;
  let most = 0;
  const asked = processes(4).flatMap((slots) =>
    Array.from({ length: 15 }, async () => {
      const end = await slots.take("small", never);
      most = Math.max(most, ++atOnce);
      await letPass(5);
      atOnce--;
      end();
    }),
  );
  await Promise.all(asked);
  expect(most).toBe(LIMITS.small);
  await until(async () => (await rows()).length === 0);
});

it("gives turns in the order of asking, also between processes", async () => {
  const [a, b] = processes(2) as [ModelSlots, ModelSlots];
  const end = await a.take("large", never);
  const order: number[] = [];
  const asked: Promise<void>[] = [];
  for (let place = 0; place < 6; place++) {
    const slots = place % 2 === 0 ? b : a;
    asked.push(
      slots.take("large", never).then((done) => {
        order.push(place);
        done();
      }),
    );
    await until(async () => (await rows()).length === place + 2);
  }
  end();
  await Promise.all(asked);
  expect(order).toEqual([0, 1, 2, 3, 4, 5]);
});

it("gives the turns of one tier apart from those of another", async () => {
  const [a, b] = processes(2) as [ModelSlots, ModelSlots];
  const ends = await Promise.all([a.take("large", never), b.take("image", never)]);
  ends.forEach((end) => end());
});

it("gives a waiting process its turn also when no wake-up arrives", async () => {
  const [a, b] = processes(2, createBus(true)) as [ModelSlots, ModelSlots];
  const end = await a.take("large", never);
  const waiting = b.take("large", never);
  await until(async () => (await rows()).length === 2);
  end();
  (await waiting)();
});

it("lets go of one that gives up while it waits, and leaves nothing of it", async () => {
  const [a, b] = processes(2) as [ModelSlots, ModelSlots];
  const end = await a.take("large", never);
  const stop = new AbortController();
  const waiting = b.take("large", stop.signal);
  await until(async () => (await rows()).length === 2);
  stop.abort();
  await expect(waiting).rejects.toMatchObject({ kind: "aborted" });
  await until(async () => (await rows()).length === 1);
  end();
  await expect(a.take("large", stop.signal)).rejects.toMatchObject({ kind: "aborted" });
  await until(async () => (await rows()).length === 0);
});

it("gives the turn of a process that died to the next, when its lease has run out", async () => {
  const began = performance.now();
  await database.owner.query(
    `insert into model_slots (id, tier, holder, held, lease_until)
     values ('dead', 'large', 'dead', true, clock_timestamp() + interval '1200 ms')`,
  );
  const [slots] = processes(1) as [ModelSlots];
  const end = await slots.take("large", never);
  expect(performance.now() - began).toBeGreaterThan(1_000);
  end();
});

it("keeps a turn as long as its process lives", async () => {
  const [a] = processes(1) as [ModelSlots];
  const end = await a.take("large", never);
  await database.owner.query("update model_slots set lease_until = clock_timestamp() + interval '1 ms'");
  await until(
    async () =>
      (
        await database.owner.query(
          "select from model_slots where lease_until > clock_timestamp() + interval '4 s'",
        )
      ).length === 1,
  );
  end();
});

it("counts what a process holds again after the table was lost", async () => {
  const [a, b] = processes(2) as [ModelSlots, ModelSlots];
  const end = await a.take("large", never);
  await database.owner.query("truncate model_slots");
  await until(async () => (await rows()).length === 1);
  let given = false;
  const waiting = b.take("large", never).then((done) => {
    given = true;
    return done;
  });
  await until(async () => (await rows()).length === 2);
  expect(given).toBe(false);
  end();
  (await waiting)();
});

it("asks the database nothing while nobody wants a turn", async () => {
  let queries = 0;
  const slots = new ModelSlots({
    db: {
      query: async (...statement) => {
        queries++;
        return await database.app.query(...statement);
      },
    },
    bus: createBus(),
    limits: LIMITS,
    onError: () => undefined,
  });
  (await slots.take("small", never))();
  await until(async () => (await rows()).length === 0);
  const before = queries;
  await letPass(1_500);
  expect(queries).toBe(before);
});
