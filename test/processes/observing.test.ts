import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { Redis } from "ioredis";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { type ProcessPlatform, startProcesses } from "../support/process-platform.ts";
import { startReceiver, type WebhookReceiver } from "../support/webhook-receiver.ts";
import { until } from "../support/until.ts";

const REDIS_PREFIX = "observing";
const REQUEST_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What must never be told: what callers send and are given. */
const CANARIES = {
  input: "canary-of-an-input",
  prompt: "canary-of-a-prompt",
  fault: "canary-of-a-fault",
  query: "canary-of-a-query",
  url: "canary-of-a-url",
  header: "canary-of a-header",
};

const redisUrl = inject("redisUrl");

let platform: ProcessPlatform;
let receiver: WebhookReceiver;
const secrets: string[] = Object.values(CANARIES);
beforeAll(async () => {
  receiver = await startReceiver();
  platform = await startProcesses({
    LOG_LEVEL: "debug",
    OTEL_EXPORTER_OTLP_ENDPOINT: `${receiver.url}/collector`,
    OTEL_EXPORTER_OTLP_HEADERS: "x-collector-key=canary-of%20a-header",
    ALLOW_PRIVATE_UPSTREAMS: "1",
    ...(redisUrl === null ? {} : { REDIS_URL: redisUrl, REDIS_PREFIX }),
  });
});
afterAll(async () => {
  if (platform.supervisor.exitCode === null) await platform.stop();
  await Promise.all([platform.remove(), receiver.close()]);
});

type Answer = { readonly status: number; readonly headers: Headers; readonly body: Record<string, string> };

async function post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  const answer = await fetch(`${platform.run().baseUrl}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Answer["body"] };
}

async function account(): Promise<{ readonly id: string; readonly key: string }> {
  const { body } = await post("/api/accounts", {});
  const { account: made, api_key: key } = body as unknown as { account: { id: string }; api_key: string };
  secrets.push(key);
  return { id: made.id, key };
}

const withKey = (key: string, more: Record<string, string> = {}) => ({
  authorization: `Bearer ${key}`,
  ...more,
});

type Line = Readonly<Record<string, unknown>>;

/** The lines of this kind that are about something, as soon as there is one. */
async function lines(kind: "request" | "call", about: Line): Promise<Line[]> {
  return await until(async () => {
    const found = platform
      .stderr()
      .split("\n")
      .filter((text) => text.startsWith("{"))
      .map((text) => JSON.parse(text) as Line)
      .filter((line) => line["msg"] === kind && Object.entries(about).every(([key, is]) => line[key] === is));
    return found.length > 0 && found;
  });
}

async function metrics(): Promise<string> {
  const answer = await fetch(`${platform.run().opsUrl}/metrics`);
  expect(answer.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
  return await answer.text();
}

/** The value of one series, or undefined. */
function valueOf(text: string, series: string): number | undefined {
  const line = text.split("\n").find((one) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}

describe("a request and its call", () => {
  it("leave one line each, with the ids of both, also when a worker ran the call", async () => {
    const { id, key } = await account();
    const { body } = await post("/api/call/test-work", { text: CANARIES.input }, withKey(key, { "x-request-id": "one:call" })); // prettier-ignore
    expect(body["result"]).toEqual({ text: CANARIES.input });
    const callId = body["call_id"];
    expect(await lines("request", { callId })).toEqual([
      expect.objectContaining({
        requestId: "one:call",
        method: "POST",
        route: "/api/call/:slug",
        status: 200,
        accountId: id,
        durationMs: expect.any(Number),
      }),
    ]);
    expect(await lines("call", { callId })).toEqual([
      expect.objectContaining({
        requestId: "one:call",
        accountId: id,
        slug: "test-work",
        pool: "brain",
        outcome: "succeeded",
        waitMs: expect.any(Number),
        durationMs: expect.any(Number),
      }),
    ]);
  });

  it("leave the same of an inline call, of a failed one, and of one past its time", async () => {
    const { key } = await account();
    const inline = await post("/api/call/test-inline", { text: CANARIES.input }, withKey(key));
    const failed = await post("/api/call/test-work", { mode: "fault", text: CANARIES.input }, withKey(key));
    const late = await post("/api/call/test-brief", { text: CANARIES.input, ms: 60_000 }, withKey(key));
    const ends = [
      [inline, { pool: "inline", outcome: "succeeded" }],
      [failed, { pool: "brain", outcome: "failed" }],
      [late, { outcome: "expired" }],
    ] as const;
    for (const [{ body, headers }, end] of ends) {
      const [line, ...others] = await lines("call", { callId: body["call_id"] });
      expect(line).toMatchObject({ ...end, requestId: headers.get("x-request-id") });
      expect(others).toEqual([]);
    }
  });

  it("leave the same of a call that was taken back before anybody ran it", async () => {
    const { key } = await account();
    const callId = await whileNobodyComputes(async () => {
      const { body } = await post("/api/call/test-cpu", {}, withKey(key, { prefer: "respond-async" }));
      expect((await post(`/api/calls/${body["call_id"]}/cancel`, {}, withKey(key))).status).toBe(200);
      return body["call_id"];
    });
    expect(await lines("call", { callId })).toEqual([
      expect.objectContaining({ outcome: "cancelled", pool: "cam", waitMs: null, durationMs: null }),
    ]);
  });
});

/** The id of a request that has called itself so. */
async function idOfRequest(given?: string): Promise<string> {
  const answer = await fetch(`${platform.run().baseUrl}/healthz`, {
    headers: given === undefined ? {} : { "x-request-id": given },
  });
  return answer.headers.get("x-request-id") ?? "";
}

type Span = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
  readonly process: string;
};

/** All spans that the collector got. */
const spans = (): Span[] =>
  receiver.on("/collector/v1/traces").flatMap(({ text }) =>
    JSON.parse(text).resourceSpans.flatMap(
      (one: {
        resource: { attributes: { key: string; value: { stringValue: string } }[] };
        scopeSpans: { spans: Span[] }[];
      }) => {
        const title = one.resource.attributes.find(({ key }) => key === "process.title");
        return one.scopeSpans.flatMap((scope) =>
          scope.spans.map((span) => ({ ...span, process: title?.value.stringValue ?? "" })),
        );
      },
    ),
  );

const said = (span: Span, key: string): unknown =>
  Object.values(span.attributes.find((attribute) => attribute.key === key)?.value ?? {})[0];

/** The trace of a call as soon as these of its spans are there, by their names. */
async function traceOf(callId: string | undefined, names: readonly string[]): Promise<Map<string, Span>> {
  return await until(async () => {
    const all = spans();
    const traceId = all.find((span) => said(span, "meshforge.call_id") === callId)?.traceId;
    const trace = new Map(all.filter((span) => span.traceId === traceId).map((span) => [span.name, span]));
    return names.every((name) => trace.has(name)) && trace;
  });
}

const REQUEST = "POST /api/call/:slug";

describe("a trace", () => {
  it("goes from the request over settling and the queue to the worker and the end", async () => {
    const { id, key } = await account();
    const { body, headers } = await post("/api/call/test-work", { text: CANARIES.input }, withKey(key));
    const trace = await traceOf(body["call_id"], [REQUEST, "settle", "queue", "run", "end"]);
    const request = trace.get(REQUEST);
    expect([...trace.keys()].sort()).toEqual([REQUEST, "end", "queue", "run", "settle"]);
    expect(request?.parentSpanId).toBeUndefined();
    expect(request?.kind).toBe(2);
    for (const [name, process] of [
      ["settle", "api"],
      ["queue", /^worker /],
      ["run", /^worker /],
      ["end", /^worker /],
    ] as const) {
      const span = trace.get(name);
      expect(span?.parentSpanId, name).toBe(request?.spanId);
      expect(span?.process).toEqual(typeof process === "string" ? process : expect.stringMatching(process));
      expect(said(span!, "meshforge.call_id")).toBe(body["call_id"]);
      expect(BigInt(span!.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(span!.startTimeUnixNano));
    }
    expect(said(request!, "meshforge.request_id")).toBe(headers.get("x-request-id"));
    expect(said(request!, "meshforge.account_id")).toBe(id);
    expect(said(request!, "http.response.status_code")).toBe(200);
    expect(said(trace.get("end")!, "meshforge.outcome")).toBe("succeeded");
    expect(receiver.on("/collector/v1/traces")[0]?.headers["x-collector-key"]).toBe("canary-of a-header");
  });

  it("holds the settling of a state tool", async () => {
    const { key } = await account();
    const { body } = await post("/api/call/test-state", { purse: "traced" }, withKey(key));
    const trace = await traceOf(body["call_id"], [REQUEST, "settle"]);
    expect(trace.get("settle")?.parentSpanId).toBe(trace.get(REQUEST)?.spanId);
    expect(said(trace.get("settle")!, "meshforge.pool")).toBe("state");
  });

  it("holds the advances of a run and all that is part of it", async () => {
    const { key } = await account();
    const nodes = [{ name: "a" }, { name: "b", needs: ["a"] }];
    const { body } = await post("/api/call/test-run", { nodes }, withKey(key));
    const requestSpan = (await traceOf(body["call_id"], [REQUEST, "settle", "advance", "run", "end"])).get(
      REQUEST,
    );
    const ofTrace = await until(async () => {
      const all = spans().filter(({ traceId }) => traceId === requestSpan?.traceId);
      const ended = all.some((span) => span.name === "end" && said(span, "meshforge.ended_by") === "run");
      return ended && all;
    });
    const named = (name: string): Span[] => ofTrace.filter((span) => span.name === name);
    expect(named("advance").length).toBeGreaterThanOrEqual(3);
    expect(named("run").map((span) => said(span, "meshforge.slug"))).toEqual(["test-note", "test-note"]);
    for (const span of named("advance")) {
      expect(span.parentSpanId).toBe(requestSpan?.spanId);
      expect(said(span, "meshforge.call_id")).toBe(body["call_id"]);
    }
    expect(named("advance").map((span) => said(span, "meshforge.outcome"))).toContain("succeeded");
  });

  it("holds the end of a call that is taken back before anybody runs it", async () => {
    const { key } = await account();
    const callId = await whileNobodyComputes(async () => {
      const { body } = await post("/api/call/test-cpu", {}, withKey(key, { prefer: "respond-async" }));
      await post(`/api/calls/${body["call_id"]}/cancel`, {}, withKey(key));
      return body["call_id"];
    });
    const trace = await traceOf(callId, [REQUEST, "settle", "end"]);
    const end = trace.get("end");
    expect(end?.parentSpanId).toBe(trace.get(REQUEST)?.spanId);
    expect([said(end!, "meshforge.ended_by"), said(end!, "meshforge.outcome")]).toEqual([
      "cancel",
      "cancelled",
    ]);
  });

  it("goes on below the client's own, and is left out where the client's is", async () => {
    const { key } = await account();
    const [traceId, spanId] = ["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"];
    const left = "1af7651916cd43dd8448eb211c80319c";
    await post("/api/call/test-work", {}, withKey(key, { traceparent: `00-${left}-${spanId}-00` }));
    const { body } = await post("/api/call/test-inline", {}, withKey(key, { traceparent: `00-${traceId}-${spanId}-01` })); // prettier-ignore
    const trace = await traceOf(body["call_id"], [REQUEST, "settle", "run"]);
    expect(trace.get(REQUEST)).toMatchObject({ traceId, parentSpanId: spanId });
    expect(trace.get("run")?.parentSpanId).toBe(trace.get(REQUEST)?.spanId);
    expect(spans().filter((span) => span.traceId === left)).toEqual([]);
  });
});

describe("X-Request-Id", () => {
  it("is the client's own where it is fit to be told, else one of ours", async () => {
    for (const fit of ["a", "01J-x_y.z:7", "x".repeat(128)]) expect(await idOfRequest(fit)).toBe(fit);
    const { key } = await account();
    for (const unfit of [undefined, "", "a b", "x".repeat(129), "ä", key]) {
      expect(await idOfRequest(unfit)).toMatch(REQUEST_ID);
    }
  });

  it("also comes with an error, and is read by pages of other origins", async () => {
    const { status, headers } = await post("/api/call/nothing", {}, { origin: "http://a.example" });
    expect(status).toBe(401);
    expect(headers.get("x-request-id")).toMatch(REQUEST_ID);
    expect(headers.get("access-control-expose-headers")).toContain("X-Request-Id");
  });
});

describe("/metrics", () => {
  it("shows of every pool what waits and what ended, whichever process ran it", async () => {
    const { key } = await account();
    await Promise.all(
      ["test-work", "test-inline", "test-cpu"].map((slug) => post(`/api/call/${slug}`, {}, withKey(key))),
    );
    const after = await until(async () => {
      const [text, ended] = [await metrics(), await endedCalls()];
      const isComplete = ended.every(({ pool, outcome, calls }) => {
        return valueOf(text, `meshforge_calls_total{pool="${pool}",outcome="${outcome}"}`) === calls;
      });
      return isComplete && ended.length >= 3 && text;
    });
    const ran = valueOf(after, 'meshforge_calls_total{pool="brain",outcome="succeeded"}');
    for (const name of ["wait", "run"]) {
      const histogram = `meshforge_call_${name}_seconds`;
      expect(valueOf(after, `${histogram}_count{pool="brain"}`)).toBeGreaterThanOrEqual(ran ?? Infinity);
      expect(valueOf(after, `${histogram}_bucket{le="+Inf",pool="brain"}`)).toBe(
        valueOf(after, `${histogram}_count{pool="brain"}`),
      );
      expect(valueOf(after, `${histogram}_sum{pool="brain"}`)).toBeGreaterThan(0);
    }
    for (const pool of ["cam", "brain", "system"]) {
      expect(valueOf(after, `meshforge_queue_depth{pool="${pool}"}`)).toBe(0);
      expect(valueOf(after, `meshforge_queue_oldest_seconds{pool="${pool}"}`)).toBe(0);
      expect(valueOf(after, `meshforge_workers{pool="${pool}"}`)).toBe(1);
    }
    expect(valueOf(after, 'meshforge_job_last_ran_timestamp_seconds{job="sweep-calls"}')).toBeGreaterThan(0);
    expect(valueOf(after, "process_resident_memory_bytes")).toBeGreaterThan(0);
    expect(after).toContain("# TYPE meshforge_call_wait_seconds histogram");
    expect(after).toContain("# TYPE meshforge_calls_total counter");
  });
});

it("tells nothing of what callers send and are given, in no log, no span, no metric and no job", async () => {
  const { key } = await account();
  const { body } = await post("/api/webhooks/secret", {}, withKey(key));
  secrets.push(String(body["secret"]), String(body["secret"]).slice("whsec_".length));
  const webhook = `?webhook=${encodeURIComponent(`${receiver.url}/${CANARIES.url}`)}`;
  const call = (slug: string, input: unknown) =>
    post(`/api/call/${slug}${webhook}&x=${CANARIES.query}`, input, withKey(key));
  const answers = await Promise.all([
    call("test-work", { text: CANARIES.input }),
    call("test-work", { mode: "repeat", text: CANARIES.fault }),
    call("test-inline", { mode: "repeat", text: CANARIES.fault }),
    call("test-cpu", { mode: "repeat", text: CANARIES.fault }),
    call("test-question", { text: CANARIES.prompt }),
    call("safety-scrub", { text: CANARIES.input }),
    call("test-work", { text: 7, [CANARIES.input]: CANARIES.input }),
    post(`/api/call/${CANARIES.query}`, {}, withKey(key)),
    fetch(`${platform.run().baseUrl}/api/call/test-work`, {
      method: "POST",
      headers: { ...withKey(key), "content-type": "application/json" },
      body: `{"text": ${CANARIES.input}`,
    }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 500, 500, 500, 200, 200, 400, 404, 400]);
  await receiver.take(`/${CANARIES.url}`, 6);
  const [failed] = await lines("call", { slug: "test-cpu", outcome: "failed" });
  expect(failed, "the lines of what was just done are there").toBeDefined();
  await traceOf(failed?.["callId"] as string, ["end"]);
  const told = {
    log: platform.stderr(),
    metrics: await metrics(),
    jobs: await storedJobs(),
    spans: receiver.on("/collector/v1/traces").map(({ text }) => text).join("\n"), // prettier-ignore
  };
  expect(told.log).toContain('"msg":"handler"');
  if (redisUrl !== null) expect(told.jobs).toContain("callId");
  for (const [where, text] of Object.entries(told)) {
    for (const secret of secrets) expect(text.includes(secret), `${secret} in the ${where}`).toBe(false);
  }
});

/** All that lies in Redis, with a call on its way for which nobody is there. */
async function storedJobs(): Promise<string> {
  if (redisUrl === null) return "";
  const redis = new Redis(redisUrl);
  const { key } = await account();
  try {
    return await whileNobodyComputes(async () => {
      await post("/api/call/test-cpu", { text: CANARIES.input }, withKey(key, { prefer: "respond-async" }));
      return await until(async () => {
        const texts = await dump(redis);
        return texts.includes("callId") && texts;
      });
    });
  } finally {
    redis.disconnect();
  }
}

/** Acts while the only worker of the pool `cam` stands still. */
async function whileNobodyComputes<T>(act: () => Promise<T>): Promise<T> {
  const pid = platform.pidOf("worker-all");
  process.kill(pid, "SIGSTOP");
  try {
    return await act();
  } finally {
    process.kill(pid, "SIGCONT");
  }
}

async function dump(redis: Redis): Promise<string> {
  const texts: string[] = [];
  for (const name of await redis.keys(`${REDIS_PREFIX}*`)) {
    texts.push(name);
    const type = await redis.type(name);
    if (type === "hash") texts.push(JSON.stringify(await redis.hgetall(name)));
    else if (type === "string") texts.push((await redis.get(name)) ?? "");
    else if (type === "list") texts.push(...(await redis.lrange(name, 0, -1)));
    else if (type === "stream") texts.push(JSON.stringify(await redis.xrange(name, "-", "+")));
  }
  return texts.join("\n");
}

async function query<T extends object>(sql: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: platform.run().databaseUrl });
  await client.connect();
  try {
    return (await client.query<T>(sql)).rows;
  } finally {
    await client.end();
  }
}

const endedCalls = () =>
  query<{ pool: string; outcome: string; calls: number }>(
    `select pool, state as outcome, count(*)::integer as calls from calls where ended_at is not null group by 1, 2`,
  );

const board = () => fetch(`${platform.run().opsUrl}/admin/queues`);

describe("/admin/queues", () => {
  it.runIf(redisUrl !== null)("shows what lies in each queue, by the ids of the calls alone", async () => {
    const { key } = await account();
    const [callId, page] = await whileNobodyComputes(async () => {
      const { body } = await post("/api/call/test-cpu", { text: CANARIES.input }, withKey(key, { prefer: "respond-async" })); // prettier-ignore
      const id = body["call_id"] ?? "";
      return [id, await until(async () => {
        const text = await (await board()).text();
        return text.includes(id) && text;
      })]; // prettier-ignore
    });
    expect(callId).toMatch(/^call_/);
    expect(page).toMatch(/<th>waiting<\/th>/);
    expect(page).toMatch(/<td>cam<\/td>/);
    for (const secret of secrets) expect(page.includes(secret)).toBe(false);
    expect((await board()).headers.get("content-security-policy")).toContain("default-src 'none'");
  });

  it.runIf(redisUrl === null)("is not there without Redis", async () => {
    expect((await board()).status).toBe(404);
  });
});

it("keeps no counter that a caller could fill with names", async () => {
  for (const { counter } of await query<{ counter: string }>("select distinct counter from pool_counters")) {
    expect(counter).toMatch(/^(calls:(succeeded|failed|cancelled|expired)|(wait|run):(sum|\+Inf|[\d.]+))$/);
  }
});

it("says that it is not ready before it stops taking requests, and ends those that it has", async () => {
  const { baseUrl, opsUrl } = platform.run();
  const body = JSON.stringify({});
  const request = httpRequest(`${baseUrl}/api/accounts`, {
    method: "POST",
    headers: { "content-type": "application/json", "content-length": body.length, expect: "100-continue" },
  });
  const answered = new Promise<number>((resolve, reject) => {
    request.on("response", (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.on("error", reject);
  });
  request.write(body.slice(0, 1));
  await once(request, "continue");
  process.kill(platform.pidOf("api"), "SIGTERM");
  await until(async () => (await fetch(`${opsUrl}/readyz`)).status === 503);
  request.end(body.slice(1));
  expect(await answered).toBe(201);
  await until(async () => (await fetch(`${opsUrl}/readyz`).catch(() => undefined))?.status === 200);
});
