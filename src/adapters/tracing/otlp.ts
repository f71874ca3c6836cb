import { trace } from "@opentelemetry/api";
import { LIMITS } from "../../core/limits.ts";
import { createTracer, type EndedSpan } from "./tracer.ts";

/** Where spans are sent, as OpenTelemetry's own settings say it. */
export type TracingSettings = {
  /** The collector's address; spans go to `/v1/traces` below it. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  /** The share of the traces begun here that is recorded, 0 to 1. */
  readonly ratio: number;
};

/**
 * Sends spans to a collector by OTLP over HTTP, as JSON (OpenTelemetry Protocol 1.x). OpenTelemetry's own SDK and exporter
 * do no more of what is needed here and are 18 MB; whoever wants theirs registers it before the platform starts, and it is
 * used instead. A collector that is away costs spans and nothing else.
 */
export function sendTraces(
  settings: TracingSettings,
  process: string,
  onError: (error: unknown) => void,
): { close(): Promise<void> } {
  const sender = new SpanSender(settings, process, onError);
  const tracer = createTracer(settings.ratio, (span) => sender.add(span));
  // Where an SDK is registered already, it stays.
  trace.setGlobalTracerProvider({ getTracer: () => tracer });
  return { close: () => sender.close() };
}

class SpanSender {
  readonly #settings: TracingSettings;
  readonly #process: string;
  readonly #onError: (error: unknown) => void;
  #waiting: EndedSpan[] = [];
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> = Promise.resolve();

  constructor(settings: TracingSettings, process: string, onError: (error: unknown) => void) {
    this.#settings = settings;
    this.#process = process;
    this.#onError = onError;
  }

  /** Keeps a span for the next message; beyond what may wait, it is forgotten. */
  add(span: EndedSpan): void {
    if (this.#waiting.length >= LIMITS.spansWaiting) return;
    this.#waiting.push(span);
    this.#timer ??= setTimeout(() => this.#send(), LIMITS.spansEveryMs).unref();
  }

  async close(): Promise<void> {
    this.#send();
    await this.#sending;
  }

  #send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const spans = this.#waiting;
    if (spans.length === 0) return;
    this.#waiting = [];
    this.#sending = this.#sending.then(() => this.#post(spans)).catch(this.#onError);
  }

  async #post(spans: readonly EndedSpan[]): Promise<void> {
    const { endpoint, headers } = this.#settings;
    const answer = await fetch(`${endpoint.replace(/\/$/, "")}/v1/traces`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify(this.#message(spans)),
      signal: AbortSignal.timeout(LIMITS.spansTimeoutMs),
      redirect: "error",
    });
    await answer.body?.cancel();
    if (!answer.ok) this.#onError(new Error(`the collector of traces answered ${answer.status}`));
  }

  #message(spans: readonly EndedSpan[]) {
    const resource = {
      attributes: attributesOf({
        "service.name": this.#settings.serviceName,
        "process.title": this.#process,
      }),
    };
    return { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: "meshforge" }, spans: spans.map(encoded) }] }] }; // prettier-ignore
  }
}

const ERROR_STATUS = 2;

const encoded = (span: EndedSpan) => ({
  traceId: span.context.traceId,
  spanId: span.context.spanId,
  ...(span.parentSpanId === null ? {} : { parentSpanId: span.parentSpanId }),
  name: span.name,
  // The protocol counts from 1; 0 is a kind that nobody told.
  kind: span.kind + 1,
  startTimeUnixNano: nanosecondsOf(span.startedAt),
  endTimeUnixNano: nanosecondsOf(span.endedAt),
  attributes: attributesOf(span.attributes),
  status: span.failed ? { code: ERROR_STATUS } : {},
});

/** As a decimal string: a number could not hold it. */
const nanosecondsOf = (ms: number): string => (BigInt(Math.round(ms * 1_000)) * 1_000n).toString();

const attributesOf = (attributes: EndedSpan["attributes"]) =>
  Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === "number" ? { doubleValue: value } : { stringValue: String(value) },
  }));
