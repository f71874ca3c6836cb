import { trace } from "@opentelemetry/api";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTracer, type EndedSpan } from "../../src/adapters/tracing/tracer.ts";
import { begin, ended } from "../support/calls.ts";
import { startTestPlatform, type TestPlatform } from "../support/platform.ts";
import { until } from "../support/until.ts";

const told: EndedSpan[] = [];

let platform: TestPlatform;
beforeAll(async () => {
  const tracer = createTracer(1, (span) => told.push(span));
  trace.setGlobalTracerProvider({ getTracer: () => tracer });
  platform = await startTestPlatform({ pools: [] });
});
afterAll(async () => {
  expect(await platform.database.violations()).toBe(0);
  await platform.stop();
  trace.disable();
});

it("holds the end of a call that waited until its deadline, below its request", async () => {
  const { key } = await platform.account(10);
  const callId = await begin(platform, key, "test-work", {});
  await platform.database.owner.query("update calls set deadline_at = clock_now() where id = $1", [callId]);
  expect(await ended(platform, key, callId)).toMatchObject({ outcome: "expired" });
  const of = (name: string): EndedSpan | undefined =>
    told.find((span) => span.name === name && span.attributes["meshforge.call_id"] === callId);
  const end = await until(async () => of("end"));
  expect(end.attributes).toMatchObject({
    "meshforge.ended_by": "sweep",
    "meshforge.outcome": "expired",
    "meshforge.pool": "brain",
  });
  const request = of("POST /api/call/:slug");
  expect(request).toBeDefined();
  expect(end.context.traceId).toBe(request?.context.traceId);
  expect(end.parentSpanId).toBe(request?.context.spanId);
});
