import {
  type Attributes,
  type Context,
  isSpanContextValid,
  type Span,
  type SpanContext,
  SpanKind,
  type SpanOptions,
  type SpanStatus,
  SpanStatusCode,
  type TimeInput,
  trace,
  TraceFlags,
  type Tracer,
} from "@opentelemetry/api";
import { randomBytes } from "node:crypto";

const TRACE_ID_BYTES = 16;
const SPAN_ID_BYTES = 8;
/** How much of a trace id decides about its sampling. */
const SAMPLED_BITS = 52;

/** A span that has ended. Times in milliseconds since 1970. */
export type EndedSpan = {
  readonly context: SpanContext;
  readonly parentSpanId: string | null;
  readonly name: string;
  readonly kind: SpanKind;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attributes: Attributes;
  readonly failed: boolean;
};

/**
 * A tracer that hands on what ends. A trace is recorded as a whole or not at all: as whoever began it said, or, where it
 * begins here, in the share `ratio` of all.
 */
export function createTracer(ratio: number, onEnd: (span: EndedSpan) => void): Tracer {
  return {
    startSpan(name: string, options: SpanOptions = {}, context?: Context): Span {
      const parent = context === undefined ? undefined : trace.getSpanContext(context);
      const under = parent !== undefined && isSpanContextValid(parent) ? parent : undefined;
      const traceId = under?.traceId ?? randomBytes(TRACE_ID_BYTES).toString("hex");
      const sampled = under === undefined ? isSampled(traceId, ratio) : (under.traceFlags & TraceFlags.SAMPLED) !== 0; // prettier-ignore
      const own: SpanContext = {
        traceId,
        spanId: randomBytes(SPAN_ID_BYTES).toString("hex"),
        traceFlags: sampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
      };
      if (!sampled) return trace.wrapSpanContext(own);
      return new RecordedSpan({ name, context: own, parentSpanId: under?.spanId ?? null, options, onEnd });
    },
    startActiveSpan(): never {
      throw new Error("nothing here has an active span: each is begun under a traceparent");
    },
  };
}

const isSampled = (traceId: string, ratio: number): boolean =>
  Number.parseInt(traceId.slice(-SAMPLED_BITS / 4), 16) < ratio * 2 ** SAMPLED_BITS;

type SpanParts = {
  readonly name: string;
  readonly context: SpanContext;
  readonly parentSpanId: string | null;
  readonly options: SpanOptions;
  readonly onEnd: (span: EndedSpan) => void;
};

/** Events, links and exceptions are not kept: they could hold words of others. */
class RecordedSpan implements Span {
  readonly #parts: SpanParts;
  readonly #startedAt: number;
  #name: string;
  #attributes: Attributes;
  #failed = false;
  #ended = false;

  constructor(parts: SpanParts) {
    this.#parts = parts;
    this.#name = parts.name;
    this.#startedAt = millisecondsOf(parts.options.startTime);
    this.#attributes = { ...parts.options.attributes };
  }

  spanContext(): SpanContext {
    return this.#parts.context;
  }

  setAttribute(key: string, value: Attributes[string]): this {
    return this.setAttributes({ [key]: value });
  }

  setAttributes(attributes: Attributes): this {
    this.#attributes = { ...this.#attributes, ...attributes };
    return this;
  }

  setStatus({ code }: SpanStatus): this {
    this.#failed = code === SpanStatusCode.ERROR;
    return this;
  }

  updateName(name: string): this {
    this.#name = name;
    return this;
  }

  addEvent(): this {
    return this;
  }

  addLink(): this {
    return this;
  }

  addLinks(): this {
    return this;
  }

  recordException(): void {
    this.#failed = true;
  }

  isRecording(): boolean {
    return !this.#ended;
  }

  end(endTime?: TimeInput): void {
    if (this.#ended) return;
    this.#ended = true;
    const { context, parentSpanId, options, onEnd } = this.#parts;
    onEnd({
      context,
      parentSpanId,
      name: this.#name,
      kind: options.kind ?? SpanKind.INTERNAL,
      startedAt: this.#startedAt,
      endedAt: millisecondsOf(endTime),
      attributes: this.#attributes,
      failed: this.#failed,
    });
  }
}

/** A time as spans may be given one; now, where none is given. */
function millisecondsOf(time: TimeInput | undefined): number {
  if (time === undefined) return performance.timeOrigin + performance.now();
  if (Array.isArray(time)) return time[0] * 1_000 + time[1] / 1_000_000;
  return time instanceof Date ? time.getTime() : time;
}
