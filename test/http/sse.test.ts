import fastify from "fastify";
import { connect, type Socket } from "node:net";
import { afterEach, expect, it } from "vitest";
import { LIMITS } from "../../src/core/limits.ts";
import { encodeEvent, type EventStream, EventStreams } from "../../src/http/server/sse.ts";
import { until } from "../support/until.ts";

const HEARTBEAT_MS = 40;
const frame = (seq: number, data: string): Buffer =>
  encodeEvent({ seq, type: "progress", data: JSON.stringify(data), last: false });

const closings: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0)) await close();
});

/** A server whose every answer is a stream, which it hands to the test. */
async function serveStreams(
  streams: EventStreams,
): Promise<{ port: number; readonly next: () => Promise<EventStream> }> {
  const app = fastify({ forceCloseConnections: true });
  const opened: EventStream[] = [];
  app.get("/", async (_request, reply) => {
    const stream = streams.open(reply.header("x-of-a-hook", "kept"));
    opened.push(stream);
    await stream.closed;
    return reply;
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  closings.push(() => app.close());
  const { port } = app.server.address() as { port: number };
  return { port, next: () => until(async () => opened.shift()) };
}

/** A receiver that reads only as long as it is not paused. */
function receive(port: number): Socket & { readonly text: () => string } {
  const socket = connect({ port, host: "127.0.0.1" }, () =>
    socket.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n"),
  );
  let text = "";
  socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
  socket.on("error", () => undefined);
  closings.push(() => socket.destroy());
  return Object.assign(socket, { text: () => text });
}

it("keeps every open stream alive with comments, and the headers that hooks have set", async () => {
  const streams = new EventStreams(HEARTBEAT_MS);
  const { port, next } = await serveStreams(streams);
  const receivers = [receive(port), receive(port), receive(port)];
  for (const _ of receivers) await next();
  expect(streams.size).toBe(3);
  for (const { text } of receivers) {
    await until(async () => (text().match(/: still here/g) ?? []).length >= 2);
    expect(text()).toContain("x-of-a-hook: kept");
    expect(text()).toContain(`retry: ${LIMITS.streamRetryMs}`);
  }
  for (const receiver of receivers) receiver.destroy();
  await until(async () => streams.size === 0);
});

it("cuts off a receiver that lags, and no other", async () => {
  const streams = new EventStreams(HEARTBEAT_MS);
  const { port, next } = await serveStreams(streams);
  const [slow, quick] = [receive(port), receive(port)];
  slow.pause();
  const both = [await next(), await next()];
  const data = frame(1, "x".repeat(65_536));
  await until(async () => {
    for (const stream of both) stream.send(data);
    return streams.size === 1;
  });
  const sent = quick.text().length;
  expect(quick.destroyed).toBe(false);
  for (const stream of both) stream.send(frame(2, "to the one that is left"));
  await until(async () => quick.text().includes("to the one that is left"));
  expect(quick.text().length).toBeGreaterThanOrEqual(sent);
  slow.resume();
  await until(async () => slow.destroyed);
  expect(slow.text()).not.toContain("to the one that is left");
});

it("says when what was sent has gone out, so that a long past is sent at the receiver's pace", async () => {
  const { port, next } = await serveStreams(new EventStreams(HEARTBEAT_MS));
  const receiver = receive(port);
  const stream = await next();
  receiver.pause();
  let sent = 0;
  while (stream.send(frame(++sent, "x".repeat(4_096)))) expect(sent).toBeLessThan(100_000);
  let isDrained = false;
  const drained = stream.drained().then(() => (isDrained = true));
  expect(isDrained).toBe(false);
  receiver.resume();
  await drained;
  stream.end();
  await until(async () => receiver.text().includes(`id: ${sent}\n`));
});

it("lets go of a stream whose receiver has gone while it waits for it", async () => {
  const { port, next } = await serveStreams(new EventStreams(HEARTBEAT_MS));
  const receiver = receive(port);
  const stream = await next();
  receiver.pause();
  for (let sent = 1; stream.send(frame(sent, "x".repeat(4_096)));) sent++;
  const drained = stream.drained();
  receiver.destroy();
  await drained;
  await stream.closed;
  expect(stream.send(frame(1, "to nobody"))).toBe(true);
});

it("cuts at once also where something lies unsent", async () => {
  const streams = new EventStreams(HEARTBEAT_MS);
  const { port, next } = await serveStreams(streams);
  const receiver = receive(port);
  const stream = await next();
  receiver.pause();
  for (let sent = 1; stream.send(frame(sent, "x".repeat(4_096)));) sent++;
  stream.cut();
  await stream.closed;
  expect(streams.size).toBe(0);
});
