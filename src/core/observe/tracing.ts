import {
  type Attributes,
  type Context,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";

/** W3C Trace Context, version 00: trace id, span id, flags. */
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** Hands on to whatever tracer is registered, also later. */
const TRACER = trace.getTracer("meshforge");

/** What a span may say: names and ids of ours, and figures. Nothing that a caller sent or is given. */
type About = Readonly<Record<string, string | number | null | undefined>>;

/** The place in a trace that a `traceparent` names; outside of all traces where it names none. */
export function placeOf(traceparent: string | null | undefined): Context {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent ?? "") ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return ROOT_CONTEXT;
  const context: SpanContext = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return isSpanContextValid(context) ? trace.setSpanContext(ROOT_CONTEXT, context) : ROOT_CONTEXT;
}

/** The `traceparent` under which what follows from a span stands; null where nothing is traced. */
export function traceparentOf(span: Span): string | null {
  const { traceId, spanId, traceFlags } = span.spanContext();
  if (!isSpanContextValid(span.spanContext())) return null;
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;
}

/** Begins a span under a `traceparent`. Without a tracer it costs next to nothing, and tells nobody. */
export function beginSpan(
  name: string,
  at: {
    readonly under: string | null | undefined;
    readonly kind?: SpanKind;
    readonly startedAt?: number;
    readonly about: About;
  },
): Span {
  const { kind = SpanKind.INTERNAL, startedAt, about } = at;
  const options = { kind, ...(startedAt === undefined ? {} : { startTime: startedAt }) };
  const span = TRACER.startSpan(name, options, placeOf(at.under));
  return span.isRecording() ? span.setAttributes(given(about)) : span;
}

/** Ends a span; `failed` where what it stands for went wrong. */
export function endSpan(span: Span, about: About = {}, failed = false): void {
  if (span.isRecording()) span.setAttributes(given(about));
  if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

/** Acts within a span. */
export async function inSpan<T>(span: Span, act: () => Promise<T>): Promise<T> {
  try {
    const result = await act();
    endSpan(span);
    return result;
  } catch (error) {
    endSpan(span, {}, true);
    throw error;
  }
}

const given = (about: About): Attributes =>
  Object.fromEntries(Object.entries(about).filter((entry): entry is [string, string | number] => entry[1] != null)); // prettier-ignore
