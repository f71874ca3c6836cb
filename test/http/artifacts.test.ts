import { createHash, randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestPlatform, type TestPlatform } from "../support/platform.ts";
import { asAnswer, expectError, type RawAnswer, rawRequest } from "./support.ts";

const BYTES = randomBytes(1_000);
const SHA256 = createHash("sha256").update(BYTES).digest("hex");
const NAME = "a panel.stl";

let platform: TestPlatform;
let path: string;
beforeAll(async () => {
  platform = await startTestPlatform({ pools: [] });
  const { url } = await platform.runtime.store.put(BYTES, { mime: "model/stl", filename: NAME });
  path = new URL(url).pathname;
});
afterAll(async () => {
  await platform.stop();
});

const get = (headers: Record<string, string> = {}, method = "GET"): Promise<RawAnswer> =>
  rawRequest(platform, method, path, { headers });

describe("an artifact", () => {
  it("is served whole, for good, under an address that names its content", async () => {
    const { status, headers, bytes } = await get();
    expect(status).toBe(200);
    expect(bytes.equals(BYTES)).toBe(true);
    expect(path).toBe(`/artifacts/${SHA256}/a%20panel.stl`);
    expect(headers.get("content-type")).toBe("model/stl");
    expect(headers.get("content-length")).toBe("1000");
    expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(headers.get("etag")).toBe(`"${SHA256}"`);
    expect(headers.get("accept-ranges")).toBe("bytes");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-security-policy")).toContain("sandbox");
    expect(headers.get("content-disposition")).toBe('inline; filename="a_panel.stl"');
  });

  it("is stored once, and the same bytes have the same address", async () => {
    const { url } = await platform.runtime.store.put(BYTES, { mime: "model/stl", filename: NAME });
    expect(new URL(url).pathname).toBe(path);
  });

  it("answers HEAD as GET, without the bytes", async () => {
    const { status, headers, bytes } = await get({}, "HEAD");
    expect(status).toBe(200);
    expect(headers.get("content-length")).toBe("1000");
    expect(bytes).toHaveLength(0);
  });

  it.each([`"${SHA256}"`, `W/"${SHA256}"`, `"other", "${SHA256}"`, "*"])(
    "is 304 for who has %s",
    async (tag) => {
      const { status, bytes } = await get({ "if-none-match": tag });
      expect(status).toBe(304);
      expect(bytes).toHaveLength(0);
    },
  );

  it.each(['"other"', SHA256, ""])("is sent again to who has %j", async (tag) => {
    expect((await get({ "if-none-match": tag })).status).toBe(200);
  });

  it.each([
    ["bytes=0-0", 0, 0],
    ["bytes=0-99", 0, 99],
    ["bytes=900-", 900, 999],
    ["bytes=900-99999", 900, 999],
    ["bytes=-1", 999, 999],
    ["bytes=-5000", 0, 999],
    [`bytes=5-${"9".repeat(400)}`, 5, 999],
  ])("gives the range %s", async (range, start, end) => {
    const { status, headers, bytes } = await get({ range });
    expect(status).toBe(206);
    expect(headers.get("content-range")).toBe(`bytes ${start}-${end}/1000`);
    expect(headers.get("content-length")).toBe(String(end - start + 1));
    expect(bytes.equals(BYTES.subarray(start, end + 1))).toBe(true);
  });

  it.each(["bytes=1000-", "bytes=5000-6000", "bytes=-0", "bytes=9-5", `bytes=${"9".repeat(400)}-`])(
    "refuses the range %s with the size of the file",
    async (range) => {
      const raw = await get({ range });
      expectError(asAnswer(raw), 416, "range_not_satisfiable");
      expect(raw.headers.get("content-range")).toBe("bytes */1000");
      expect(raw.headers.get("cache-control")).toBeNull();
    },
  );

  it.each(["bytes=0-1,5-6", "lines=0-1", "bytes=-", "bytes=a-b", "bytes 0-1"])(
    "gives the whole file for %j, which is not one range of bytes",
    async (range) => {
      const { status, bytes } = await get({ range });
      expect(status).toBe(200);
      expect(bytes).toHaveLength(1_000);
    },
  );

  it("gives a range only of the file that If-Range means", async () => {
    expect((await get({ range: "bytes=0-9", "if-range": `"${SHA256}"` })).status).toBe(206);
    expect((await get({ range: "bytes=0-9", "if-range": '"other"' })).status).toBe(200);
  });

  it("may be empty", async () => {
    const { url } = await platform.runtime.store.put(new Uint8Array(), {
      mime: "text/plain",
      filename: "empty.txt",
    });
    const empty = new URL(url).pathname;
    const { status, bytes } = await rawRequest(platform, "GET", empty);
    expect(status).toBe(200);
    expect(bytes).toHaveLength(0);
    const range = await rawRequest(platform, "GET", empty, { headers: { range: "bytes=0-" } });
    expectError(asAnswer(range), 416, "range_not_satisfiable");
  });

  it.each([
    `/artifacts/${SHA256}/other.stl`,
    `/artifacts/${SHA256}/`,
    `/artifacts/${SHA256}`,
    `/artifacts/${SHA256.toUpperCase()}/a%20panel.stl`,
    `/artifacts/${"0".repeat(64)}/a%20panel.stl`,
    `/artifacts/${SHA256.slice(1)}/a%20panel.stl`,
    "/artifacts/../../../../etc/passwd",
    "/artifacts/..%2f..%2f..%2f..%2fetc/passwd",
    `/artifacts/${SHA256}/..%2f..%2f..%2fetc%2fpasswd`,
    `/artifacts/${SHA256}/%2e%2e/%2e%2e/package.json`,
    "/artifacts//etc/passwd",
    "/artifacts/",
    "/artifacts",
  ])("is not found as %s", async (wrong) => {
    expectError(asAnswer(await rawRequest(platform, "GET", wrong)), 404, "not_found");
  });

  it("whose bytes are lost is an error in the documented shape", async () => {
    const sha256 = "f".repeat(64);
    await platform.database.owner.query(
      "insert into artifacts (sha256, mime, filename, bytes) values ($1, 'text/plain', 'lost.txt', 5)",
      [sha256],
    );
    const answer = asAnswer(await rawRequest(platform, "GET", `/artifacts/${sha256}/lost.txt`));
    expect(answer.status).toBe(500);
    expect(answer.body.error).toBe("internal_error");
    expect(answer.headers.get("cache-control") ?? "").not.toContain("immutable");
    expect(JSON.stringify(answer.body)).not.toContain("ENOENT");
  });
});
