import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Answer, startTestPlatform, type TestPlatform } from "../../../../support/platform.ts";
import { expectError } from "../../../../http/support.ts";

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform({ pools: [] });
});
afterAll(async () => {
  expect(await platform.database.violations()).toBe(0);
  await platform.stop();
});

const ask = { q0: "Check-up or cleaning", q1: "No", name: "Ada Lovelace", phone: "+44 20 7946 0000" };

async function makePage(input: object = {}): Promise<{ slug: string; key: string; path: string }> {
  const { key } = await platform.account();
  const body = { trade: "dentist", business: "Bright Smile Dental", area: "Portland, OR", ...input };
  const answer = await platform.request("POST", "/api/call/instant-receptionist", { key, body });
  const { slug, url } = answer.body.result;
  expect(url).toBe(`${platform.services.baseUrl}/r/${slug}`);
  return { slug, key, path: `/r/${slug}` };
}

async function send(
  path: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return await fetch(`${platform.baseUrl}${path}`, {
    method: "POST",
    redirect: "manual",
    headers,
    body: new URLSearchParams(fields),
  });
}

const leadsOf = (slug: string, key: string, query = ""): Promise<Answer> =>
  platform.request("GET", `/api/receptionists/${slug}/leads${query}`, { key });

describe("a reception page", () => {
  it("exists exactly if its call was paid", async () => {
    const { key } = await platform.account(2);
    const refused = await platform.request("POST", "/api/call/instant-receptionist", {
      key,
      body: { trade: "dentist" },
    });
    expectError(refused, 402, "insufficient_funds");
    expect((await platform.request("GET", "/api/receptionists", { key })).body.receptionists).toEqual([]);

    const paid = await makePage();
    expect((await platform.request("GET", paid.path)).status).toBe(200);
    expect((await platform.request("GET", "/api/receptionists", { key: paid.key })).body).toEqual({
      receptionists: [
        {
          id: expect.stringMatching(/^rcp_[0-9a-f]{32}$/),
          slug: paid.slug,
          url: `${platform.services.baseUrl}${paid.path}`,
          vertical: "dental",
          business: "Bright Smile Dental",
          area: "Portland, OR",
          leads: 0,
          created: expect.any(String),
        },
      ],
      next_before: null,
    });
  });

  it("answers a call without a trade with trade_required and nothing else, uncharged", async () => {
    const { key } = await platform.account(100);
    const answer = await platform.request("POST", "/api/call/instant-receptionist", {
      key,
      body: { business: "Nobody" },
    });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ error: "trade_required" });
    expect((await platform.request("GET", "/api/account", { key })).body.balance).toBe(100);
  });

  it("shows name, area, greeting and questions, and says who gets the answers", async () => {
    const { path, key } = await makePage();
    const { handle } = (await platform.request("GET", "/api/account", { key })).body;
    const { body, headers } = await platform.request("GET", path);
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    for (const shown of ["Bright Smile Dental", "Portland, OR", "What brings you?", "Toothache", handle]) {
      expect(body).toContain(shown);
    }
  });

  it("may load nothing and run nothing, and is sent whole and once", async () => {
    const { path } = await makePage();
    const { body, headers } = await platform.request("GET", path);
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(body).not.toMatch(/<script|<link|<img|<iframe|\bsrc=|url\(|@import|\son\w+=|\sstyle=/i);
    expect(Buffer.byteLength(body)).toBeLessThan(16_384);
    const etag = headers.get("etag") ?? "";
    const again = await platform.request("GET", path, { headers: { "if-none-match": etag } });
    expect(again.status).toBe(304);
  });

  it.each(["/r/no-such-page", "/r/UPPER", "/r/%2e%2e%2e", "/r/-", "/r/a%20b", "/r/no-such-page/thanks"])(
    "is not found at %s",
    async (path) => {
      expectError(await platform.request("GET", path), 404, "not_found");
    },
  );
});

describe("a form", () => {
  it("leaves a lead for the account of the page, and leads to a page of thanks", async () => {
    const { slug, key, path } = await makePage();
    const sent = await send(path, { ...ask, email: "ada@example.org", message: "Any\r\nmorning <b>\0" });
    expect(sent.status).toBe(303);
    expect(sent.headers.get("location")).toBe(`${path}/thanks`);
    expect((await platform.request("GET", `${path}/thanks`)).body).toContain("Thank you!");

    const { status, headers, body } = await leadsOf(slug, key);
    expect(status).toBe(200);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(body).toEqual({
      leads: [
        {
          id: expect.stringMatching(/^lead_[0-9a-f]{32}$/),
          name: "Ada Lovelace",
          phone: "+44 20 7946 0000",
          email: "ada@example.org",
          message: "Any\nmorning <b>",
          answers: [
            { question: "What brings you?", answer: "Check-up or cleaning" },
            { question: "Are you in pain?", answer: "No" },
          ],
          created: expect.any(String),
        },
      ],
      next_before: null,
    });
  });

  it.each([
    ["no name", { name: " " }, "Please tell us your name."],
    ["neither phone nor email", { phone: "" }, "Please leave a phone number or an email address"],
    ["a phone number without digits", { phone: "call me" }, "This does not look like a number."],
    ["an email address without a host", { email: "ada@" }, "This does not look like an email address."],
    ["a long message", { message: "x".repeat(2_001) }, "Please keep it to 2000 characters."],
    ["a long answer", { q0: "x".repeat(301) }, "Please keep it to 300 characters."],
  ])("with %s is shown again with what was written, and keeps nothing", async (_what, fields, fault) => {
    const { slug, key, path } = await makePage();
    const sent = await send(path, { ...ask, q3: "Evening", ...fields });
    expect(sent.status).toBe(400);
    const body = await sent.text();
    expect(body).toContain(fault);
    expect(body).toMatch(/value="Evening"\s+checked/);
    expect((await leadsOf(slug, key)).body.leads).toEqual([]);
  });

  it("that fills the field which people do not see gets the thanks and leaves nothing", async () => {
    const { slug, key, path } = await makePage();
    const sent = await send(path, { ...ask, homepage: "https://spam.example" });
    expect(sent.status).toBe(303);
    expect((await leadsOf(slug, key)).body.leads).toEqual([]);
  });

  it("is taken from the page itself and from what sends no origin, and from nowhere else", async () => {
    const { slug, key, path } = await makePage();
    for (const origin of ["https://evil.example", "null", "http://127.0.0.1:1"]) {
      expect((await send(path, ask, { origin })).status).toBe(403);
    }
    expect((await send(path, ask, { origin: platform.baseUrl })).status).toBe(303);
    expect((await send(path, ask)).status).toBe(303);
    expect((await leadsOf(slug, key)).body.leads).toHaveLength(2);
  });

  it("is refused from an address that has sent ten in an hour", async () => {
    const { slug, key, path } = await makePage();
    const statuses: number[] = [];
    for (let n = 0; n < 12; n++) statuses.push((await send(path, ask)).status);
    expect(statuses).toEqual([...Array<number>(10).fill(303), 429, 429]);
    const refused = await send(path, ask);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(3_000);
    expect(await refused.text()).toContain("try again later");
    expect((await leadsOf(slug, key)).body.leads).toHaveLength(10);
    expect((await send((await makePage()).path, ask)).status).toBe(303);
  });

  it("may be sent again and again until it is right", async () => {
    const { slug, key, path } = await makePage();
    for (let n = 0; n < 12; n++) expect((await send(path, { ...ask, name: "" })).status).toBe(400);
    for (let n = 0; n < 10; n++) expect((await send(path, ask)).status).toBe(303);
    expect((await send(path, ask)).status).toBe(429);
    expect((await leadsOf(slug, key)).body.leads).toHaveLength(10);
  });

  it("is refused from an address that sends faulty ones without end, and from no other page's", async () => {
    const { slug, path } = await makePage();
    expect((await send(path, {})).status).toBe(400);
    await platform.database.owner.query("update rate_windows set hits = 100 where key like $1", [
      `form:${slug}:%`,
    ]);
    expect((await send(path, ask)).status).toBe(429);
    expect((await send((await makePage()).path, ask)).status).toBe(303);
  });

  it("has to be a form of at most 64 KiB", async () => {
    const { path } = await makePage();
    const large = await send(path, { ...ask, message: "x".repeat(70_000) });
    expect(large.status).toBe(413);
    const xml = await platform.request("POST", path, {
      body: "<a/>",
      headers: { "content-type": "text/xml" },
    });
    expectError(xml, 415, "unsupported_media_type");
    expect((await platform.request("POST", path, { body: { ...ask } })).status).toBe(400);
    expectError(await platform.request("PUT", path, { body: {} }), 405, "method_not_allowed");
  });
});

describe("leads", () => {
  it("are there for the account of the page and for nobody else", async () => {
    const { slug, path, key } = await makePage();
    await send(path, ask);
    const stranger = await platform.account();
    expectError(await leadsOf(slug, stranger.key), 404, "not_found");
    expectError(await platform.request("GET", `/api/receptionists/${slug}/leads`), 401, "unauthorized");
    const { id } = (await leadsOf(slug, key)).body.leads[0];
    const remove = { key: stranger.key };
    expectError(
      await platform.request("DELETE", `/api/receptionists/${slug}/leads/${id}`, remove),
      404,
      "not_found",
    );
    expect((await leadsOf(slug, key)).body.leads).toHaveLength(1);
  });

  it("can be paged through, newest first, and deleted for good", async () => {
    const { slug, path, key } = await makePage();
    for (const name of ["A", "B", "C"]) await send(path, { ...ask, name });
    const first = (await leadsOf(slug, key, "?limit=2")).body;
    expect(first.leads.map(({ name }: { name: string }) => name)).toEqual(["C", "B"]);
    const rest = (await leadsOf(slug, key, `?limit=2&before=${first.next_before}`)).body;
    expect(rest.leads.map(({ name }: { name: string }) => name)).toEqual(["A"]);
    expect(rest.next_before).toBeNull();

    const gone = `/api/receptionists/${slug}/leads/${first.leads[0].id}`;
    expect((await platform.request("DELETE", gone, { key })).status).toBe(204);
    expectError(await platform.request("DELETE", gone, { key }), 404, "not_found");
    expect((await leadsOf(slug, key)).body.leads).toHaveLength(2);
    expect((await platform.request("GET", "/api/receptionists", { key })).body.receptionists[0].leads).toBe(
      2,
    );
  });
});
