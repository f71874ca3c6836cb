import { ROOT_CONTEXT, SpanStatusCode, trace } from "@opentelemetry/api";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createTracer, type EndedSpan } from "../../../src/adapters/tracing/tracer.ts";
import { placeOf, traceparentOf } from "../../../src/core/observe/tracing.ts";

function tracerOf(ratio: number) {
  const ended: EndedSpan[] = [];
  return { tracer: createTracer(ratio, (span) => ended.push(span)), ended };
}

const PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

describe("a span", () => {
  it("stands below the one that a traceparent names, and is told once, with what was said of it", () => {
    const { tracer, ended } = tracerOf(0);
    const span = tracer.startSpan("work", { attributes: { a: 1 }, startTime: 1_000 }, placeOf(PARENT));
    span.setAttributes({ b: "x" }).setStatus({ code: SpanStatusCode.ERROR, message: "left out" });
    span.recordException(new Error("left out"));
    span.end(1_500);
    span.end();
    expect(ended).toHaveLength(1);
    expect(ended[0]).toMatchObject({
      parentSpanId: "b7ad6b7169203331",
      context: { traceId: "0af7651916cd43dd8448eb211c80319c" },
      attributes: { a: 1, b: "x" },
      startedAt: 1_000,
      endedAt: 1_500,
      failed: true,
    });
    expect(JSON.stringify(ended)).not.toContain("left out");
    expect(traceparentOf(span)).toBe(`00-0af7651916cd43dd8448eb211c80319c-${span.spanContext().spanId}-01`);
  });

  it("is not recorded where the trace is not, and says so to what follows", () => {
    const { tracer, ended } = tracerOf(1);
    const span = tracer.startSpan("work", {}, placeOf(PARENT.replace(/01$/, "00")));
    expect(span.isRecording()).toBe(false);
    span.end();
    expect(ended).toEqual([]);
    expect(traceparentOf(span)).toMatch(/-00$/);
  });

  it("is of the share of traces that is recorded", () => {
    for (const [ratio, low, high] of [
      [0, 0, 0],
      [0.25, 100, 400],
      [1, 1_000, 1_000],
    ] as const) {
      const { tracer, ended } = tracerOf(ratio);
      for (let n = 0; n < 1_000; n++) tracer.startSpan("work", {}, ROOT_CONTEXT).end();
      expect(ended.length).toBeGreaterThanOrEqual(low);
      expect(ended.length).toBeLessThanOrEqual(high);
    }
  });
});

describe("a traceparent", () => {
  it.each([
    null,
    undefined,
    "",
    "00-00000000000000000000000000000000-b7ad6b7169203331-01",
    "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
    "01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    "00-0AF7651916CD43DD8448EB211C80319C-B7AD6B7169203331-01",
    `${PARENT}-more`,
  ])("that is none (%j) is nowhere", (text) => {
    expect(placeOf(text)).toBe(ROOT_CONTEXT);
  });

  it("is taken whatever it is", () => {
    fc.assert(fc.property(fc.string(), (text) => void placeOf(text)));
    expect(trace.getSpanContext(placeOf(PARENT))).toMatchObject({ isRemote: true, traceFlags: 1 });
  });
});
