import { setImmediate as turn } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Feed, type Follower } from "../../../src/core/streams/feed.ts";
import { resumeAfter, type StreamEvent, type StreamSource } from "../../../src/core/streams/stream.ts";

/** A stream in memory, as a table would give it: what is read is what was stored when the reading began. */
function memoryStream(): StreamSource & { add(count: number): void; finish(): void; reads: number } {
  const stored: StreamEvent[] = [];
  const add = (last: boolean): void => {
    stored.push({ seq: stored.length + 1, type: last ? "completed" : "progress", data: "{}", last });
  };
  const stream = {
    id: "call_1",
    reads: 0,
    read: async (afterSeq: number, limit: number) => {
      stream.reads++;
      const events = stored.filter(({ seq }) => seq > afterSeq).slice(0, limit);
      await turn();
      return events;
    },
    add: (count: number) => {
      for (let nth = 0; nth < count; nth++) add(false);
    },
    finish: () => add(true),
  };
  return stream;
}

const awayStream: StreamSource = { id: "call_1", read: () => Promise.reject(new Error("away")) };

const encode = ({ seq }: StreamEvent): Uint8Array => Uint8Array.of(seq >> 8, seq & 255);

/** Notes what it is sent; `flows` says whether it can take more at once. */
function collector(flows = true): Follower & { seen: number[]; frames: Uint8Array[]; ended: boolean } {
  const one = {
    seen: [] as number[],
    frames: [] as Uint8Array[],
    ended: false,
    send: (frame: Uint8Array) => {
      one.seen.push((frame[0] ?? 0) * 256 + (frame[1] ?? 0));
      one.frames.push(frame);
      return flows;
    },
    drained: () => turn(),
    end: () => {
      one.ended = true;
    },
  };
  return one;
}

const fail = (error: unknown): never => {
  throw error;
};

async function until(holds: () => boolean): Promise<void> {
  for (let turns = 0; !holds(); turns++) {
    if (turns > 20_000) throw new Error("it did not come to hold");
    await turn();
  }
}

const numbers = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe("a feed", () => {
  it("gives each follower exactly what follows its position, in order, whoever joins when and however slow", async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant("add" as const), count: fc.integer({ min: 1, max: 150 }) }),
      fc.record({ kind: fc.constant("wake" as const) }),
      fc.record({ kind: fc.constant("wait" as const) }),
      fc.record({ kind: fc.constant("join" as const), back: fc.nat(300), flows: fc.boolean() }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const stream = memoryStream();
        const feed = new Feed(stream, encode, fail);
        const joined: { after: number; follower: ReturnType<typeof collector> }[] = [];
        let stored = 0;
        for (const each of steps) {
          if (each.kind === "add") stream.add(each.count);
          if (each.kind === "add") stored += each.count;
          if (each.kind === "wake") feed.wake();
          if (each.kind === "wait") await turn();
          if (each.kind !== "join") continue;
          const follower = collector(each.flows);
          const after = Math.max(0, stored - each.back);
          feed.join(follower, after);
          joined.push({ after, follower });
        }
        stream.finish();
        feed.wake();
        await until(() => joined.every(({ follower }) => follower.ended));
        for (const { after, follower } of joined)
          expect(follower.seen).toEqual(numbers(after + 1, stored + 1));
        expect(feed.isEmpty).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it("reads and encodes what is new once for all, however many follow", async () => {
    const stream = memoryStream();
    const feed = new Feed(stream, encode, fail);
    const followers = Array.from({ length: 500 }, () => collector());
    for (const follower of followers) feed.join(follower, 0);
    await until(() => feed.position === 0 && stream.reads >= 500);
    await turn();
    const before = stream.reads;
    stream.add(1);
    feed.wake();
    await until(() => followers.every(({ seen }) => seen.length === 1));
    expect(stream.reads - before).toBeLessThanOrEqual(2);
    expect(new Set(followers.map(({ frames }) => frames[0])).size).toBe(1);
  });

  it("ends a follower rather than leave a gap", async () => {
    const stream = memoryStream();
    const errors: unknown[] = [];
    const read: StreamSource["read"] = async (afterSeq, limit) =>
      (await stream.read(afterSeq, limit)).filter(({ seq }) => seq !== 2);
    const feed = new Feed({ id: stream.id, read }, encode, (error) => void errors.push(error));
    const follower = collector();
    stream.add(3);
    feed.join(follower, 0);
    await until(() => follower.ended);
    expect(follower.seen).toEqual([1]);
    expect(errors).toHaveLength(1);
  });

  it("ends those who follow when the stream cannot be read, so that they come again", async () => {
    const errors: unknown[] = [];
    const feed = new Feed(awayStream, encode, (error) => void errors.push(error));
    const follower = collector();
    feed.join(follower, 0);
    await until(() => follower.ended);
    expect(errors).toHaveLength(1);
  });
});

describe("resumeAfter", () => {
  it("goes on after the id, to the end, and says when nothing is left", () => {
    expect(resumeAfter(null, { last: 3, ended: false }, "x")).toBe(0);
    expect(resumeAfter("", { last: 3, ended: true }, "x")).toBe(0);
    expect(resumeAfter("3", { last: 3, ended: false }, "x")).toBe(3);
    expect(resumeAfter("2", { last: 3, ended: true }, "x")).toBe(2);
    expect(resumeAfter("3", { last: 3, ended: true }, "x")).toBe("nothing left");
    expect(resumeAfter("4", { last: 3, ended: true }, "x")).toBe("nothing left");
    expect(() => resumeAfter("4", { last: 3, ended: false }, "x")).toThrow("beyond");
  });

  it("refuses what is no id, whatever the stream", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.boolean(), (text, ended) => {
        fc.pre(!/^(0|[1-9]\d*)$/.test(text));
        expect(() => resumeAfter(text, { last: 3, ended }, "x")).toThrow("must be the id");
      }),
    );
  });
});
