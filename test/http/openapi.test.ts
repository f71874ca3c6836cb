import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestPlatform, type TestPlatform } from "../support/platform.ts";

type Operation = {
  readonly summary?: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly responses: Record<
    string,
    {
      readonly content?: Record<string, { readonly schema: unknown }>;
      readonly headers?: Readonly<Record<string, unknown>>;
    }
  >;
  readonly requestBody?: {
    readonly content: Record<string, { readonly schema: unknown; readonly example?: unknown }>;
  };
};
type Document = {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
  readonly servers: readonly { readonly url: string }[];
};

let platform: TestPlatform;
let document: Document;
beforeAll(async () => {
  platform = await startTestPlatform({ pools: [] });
  document = (await platform.request("GET", "/openapi.json")).body;
});
afterAll(async () => {
  await platform.stop();
});

describe("/openapi.json", () => {
  it("is OpenAPI 3.0.0 of API version 1.0.0", () => {
    expect(document.openapi).toBe("3.0.0");
    expect(document.info.version).toBe("1.0.0");
    expect(document.servers).toHaveLength(1);
  });

  it("has one path for each capability, with its input, its result and an example", async () => {
    const { body } = await platform.request("GET", "/api/capabilities");
    const paths = Object.keys(document.paths).filter((path) => path.startsWith("/api/call/"));
    expect(paths.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(
      body.capabilities.map(({ slug }: { slug: string }) => `/api/call/${slug}`),
    );
    for (const path of paths) {
      const { post } = document.paths[path] ?? {};
      const json = post?.requestBody?.content["application/json"];
      expect(json?.schema).toEqual({ $ref: expect.stringMatching(/Input$/) });
      expect(json).toHaveProperty("example");
      expect(post?.responses["200"]?.content?.["application/json"]?.schema).toEqual({
        $ref: expect.stringMatching(/Succeeded$/),
      });
      for (const status of ["202", "400", "401", "402", "415", "422", "429", "502", "503", "504"])
        expect(post?.responses).toHaveProperty(status);
    }
  });

  it("describes every documented endpoint", () => {
    const described = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described).toEqual(
      expect.arrayContaining([
        "POST /api/accounts",
        "GET /api/account",
        "GET /api/account/ledger",
        "GET /api/keys",
        "POST /api/keys",
        "DELETE /api/keys/{id}",
        "GET /api/capabilities",
        "GET /api/capabilities/{slug}",
        "GET /api/calls",
        "GET /api/calls/{id}",
        "POST /api/calls/{id}/cancel",
        "GET /api/calls/{id}/events",
      ]),
    );
  });

  it("uses nothing that OpenAPI 3.0 does not know", () => {
    const text = JSON.stringify(document);
    expect(text).not.toContain('"$schema"');
    expect(text).not.toContain('"type":"null"');
    expect(text).not.toMatch(/"type":\[/);
    expect(text).not.toContain('"const":');
    expect(text).not.toContain('"$ref":"#/definitions');
  });

  it("names its schemas once, and says of errors one and the same", () => {
    const { schemas } = document.components;
    for (const name of [
      "Error",
      "Call",
      "CallPending",
      "CallFailed",
      "CamForgeInput",
      "CamForgeOutput",
      "Key",
    ])
      expect(schemas).toHaveProperty(name);
    const text = JSON.stringify(document);
    expect(text.match(/a stable code/g)).toHaveLength(1);
    expect(text).not.toContain(String(Number.MAX_SAFE_INTEGER));
    for (const [, name] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g))
      expect(schemas).toHaveProperty(name ?? "");
    expect(Object.keys(schemas)).toEqual(Object.keys(schemas).toSorted());
  });

  it("shows what else may come of a call, and in which headers", () => {
    const { responses = {} } = document.paths["/api/call/cam-forge"]?.["post"] ?? {};
    expect(responses["415"]?.content?.["application/json"]?.schema).toEqual({
      $ref: "#/components/schemas/Error",
    });
    expect(responses["502"]?.content?.["application/json"]?.schema).toEqual({
      $ref: "#/components/schemas/CallFailed",
    });
    expect(Object.keys(responses["202"]?.headers ?? {})).toEqual(
      expect.arrayContaining([
        "X-Request-Id",
        "Location",
        "Retry-After",
        "Idempotent-Replayed",
        "Preference-Applied",
      ]),
    );
    expect(Object.keys(responses["429"]?.headers ?? {})).toEqual(
      expect.arrayContaining(["Retry-After", "RateLimit-Remaining"]),
    );
    for (const [path, operations] of Object.entries(document.paths)) {
      if (path === "/healthz") continue;
      for (const [method, { requestBody, responses: answers }] of Object.entries(operations)) {
        if (path.startsWith("/api/call/") && answers["4XX"] !== undefined) continue;
        if (requestBody !== undefined) expect(answers, `${method} ${path}`).toHaveProperty("415");
        for (const [status, { headers }] of Object.entries(answers))
          expect(headers, `${method} ${path} ${status}`).toHaveProperty("X-Request-Id");
      }
    }
  });

  it("shows streams as what they are, with where they go on", () => {
    const { get } = document.paths["/api/calls/{id}/events"] ?? {};
    expect(Object.keys(get?.responses["200"]?.content ?? {})).toEqual(["text/event-stream"]);
    expect(get?.parameters).toContainEqual(expect.objectContaining({ name: "Last-Event-ID", in: "header" }));
  });

  it("sends the headers that it names", async () => {
    const { headers } = await platform.request("POST", "/api/accounts", { body: {} });
    const { "201": opened } = document.paths["/api/accounts"]?.["post"]?.responses ?? {};
    for (const name of Object.keys(opened?.headers ?? {})) expect(headers.has(name), name).toBe(true);
    const listed = await platform.request("GET", "/api/capabilities");
    for (const name of Object.keys(
      document.paths["/api/capabilities"]?.["get"]?.responses["200"]?.headers ?? {},
    ))
      expect(listed.headers.has(name), name).toBe(true);
  });

  it("is made once for each version of the catalog", async () => {
    const [one, two] = [
      await platform.request("GET", "/openapi.json"),
      await platform.request("GET", "/openapi.json"),
    ];
    expect(one.headers.get("etag")).toBe(two.headers.get("etag"));
    expect((await platform.request("GET", "/docs/json")).body).toEqual(one.body);
  });

  it("says of no path that it is there when it is not", async () => {
    for (const [path, operations] of Object.entries(document.paths)) {
      for (const method of Object.keys(operations)) {
        const { status } = await platform.request(method.toUpperCase(), path.replaceAll(/\{\w+\}/g, "none"));
        expect([404, 405].includes(status) && !path.includes("{"), `${method} ${path}`).toBe(false);
      }
    }
  });
});

describe("/docs", () => {
  it("is a page for people, with what it loads", async () => {
    const { status, headers, body } = await platform.request("GET", "/docs");
    expect(status).toBe(200);
    expect(headers.get("content-type")).toContain("text/html");
    expect(headers.get("content-security-policy")).toContain("script-src 'self'");
    expect(headers.get("content-security-policy")).not.toContain("upgrade-insecure-requests");
    const loaded = [...String(body).matchAll(/(?:src|href)="([^"]+\.(?:js|css))"/g)].map(
      ([, path]) => path ?? "",
    );
    expect(loaded.length).toBeGreaterThan(0);
    for (const path of loaded) {
      expect((await fetch(new URL(path, `${platform.baseUrl}/docs/`))).status, path).toBe(200);
    }
  });

  it("answers unknown pages below it as everywhere", async () => {
    for (const path of ["/docs/nothing", "/docs/static/nothing.js"]) {
      const { status, body } = await platform.request("GET", path);
      expect(status).toBe(404);
      expect(body.error).toBe("not_found");
    }
  });
});
