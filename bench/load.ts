/** Makes load from a process of its own: takes a `Load` over IPC, measures, answers with `Measured`, and ends. */
import autocannon from "autocannon";

/** What is asked of the load generator. Caller `n` sends the headers `headers[n % headers.length]`. */
export type Load = {
  readonly url: string;
  readonly method: "GET" | "POST";
  readonly callers: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
  readonly headers: readonly Readonly<Record<string, string>>[];
  readonly body: string | null;
};

export type Measured = {
  /** Answers in a second, on the average. */
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Answers other than 2xx, and requests without one. */
  readonly faults: number;
};

process.once("message", (load: Load) => {
  void measure(load).then((measured) => process.send?.(measured, () => process.exit()));
});

async function measure(load: Load): Promise<Measured> {
  await run(load, load.warmUpSeconds);
  const result = await run(load, load.seconds);
  return {
    perSecond: result.requests.total / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    faults: result.non2xx + result.errors + result.timeouts,
  };
}

async function run(
  { url, method, callers, headers, body }: Load,
  seconds: number,
): Promise<autocannon.Result> {
  let caller = 0;
  return await autocannon({
    url,
    method,
    connections: callers,
    duration: seconds,
    ...(body === null ? {} : { body }),
    setupClient: (client) => client.setHeaders({ ...headers[caller++ % headers.length] }),
  });
}
