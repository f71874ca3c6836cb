import { createHash, randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestPlatform, type TestPlatform } from "../support/platform.ts";
import { bucketEnv, type S3Server, startS3Server } from "../support/s3-server.ts";
import { until } from "../support/until.ts";
import { asAnswer, expectError, type RawAnswer, rawRequest } from "./support.ts";

const BYTES = randomBytes(1_000);
const SHA256 = createHash("sha256").update(BYTES).digest("hex");
const NAME = "a panel.stl";

let s3: S3Server;
let onDisk: TestPlatform;
let inBucket: TestPlatform;
beforeAll(async () => {
  s3 = await startS3Server();
  [onDisk, inBucket] = await Promise.all([
    startTestPlatform({ pools: [] }),
    startTestPlatform({ pools: [], env: bucketEnv(s3) }),
  ]);
});
afterAll(async () => {
  await Promise.all([onDisk.stop(), inBucket.stop()]);
  await s3.close();
});

describe.each([
  ["on disk", () => onDisk],
  ["in an S3 bucket", () => inBucket],
])("an artifact %s", (_where, platformOf) => {
  let platform: TestPlatform;
  let path: string;
  beforeAll(async () => {
    platform = platformOf();
    path = await store(platform, BYTES, { mime: "model/stl", filename: NAME });
  });

  const get = (headers: Record<string, string> = {}, method = "GET"): Promise<RawAnswer> =>
    rawRequest(platform, method, path, { headers });

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
    expect(headers.get("content-disposition")).toBe(
      `inline; filename="a_panel.stl"; filename*=UTF-8''a%20panel.stl`,
    );
  });

  it("is stored once, and the same bytes have the same address", async () => {
    expect(await store(platform, BYTES, { mime: "model/stl", filename: NAME })).toBe(path);
  });

  it("is found under every name that it was given, with the type of that name", async () => {
    const page = await store(platform, BYTES, { mime: "text/html", filename: "page.html" });
    expect(page).toBe(`/artifacts/${SHA256}/page.html`);
    expect((await rawRequest(platform, "GET", page)).headers.get("content-type")).toBe("text/html");
    expect((await get()).headers.get("content-type")).toBe("model/stl");
  });

  it.each([
    ["p\u00e4nel.svg", `inline; filename="p_nel.svg"; filename*=UTF-8''p%C3%A4nel.svg`],
    ["it's (1).svg", `inline; filename="it_s__1_.svg"; filename*=UTF-8''it%27s%20%281%29.svg`],
    ["a;b=c,d.svg", `inline; filename="a_b_c_d.svg"; filename*=UTF-8''a%3Bb%3Dc%2Cd.svg`],
    ["\u{1f600}%2f..svg", `inline; filename="___2f..svg"; filename*=UTF-8''%F0%9F%98%80%252f..svg`],
  ])("may be named %s", async (filename, disposition) => {
    const own = await store(platform, BYTES, { mime: "image/svg+xml", filename });
    const { status, headers } = await rawRequest(platform, "GET", own);
    expect(status).toBe(200);
    expect(headers.get("content-disposition")).toBe(disposition);
    expect(headers.get("content-security-policy")).toMatch(/^default-src 'none'; .*sandbox$/);
  });

  it("answers HEAD as GET, without the bytes", async () => {
    const { status, headers, bytes } = await get({}, "HEAD");
    expect(status).toBe(200);
    expect(headers.get("content-length")).toBe("1000");
    expect(bytes).toHaveLength(0);
  });

  it("has no ranges for HEAD", async () => {
    const { status, headers } = await get({ range: "bytes=0-9" }, "HEAD");
    expect(status).toBe(200);
    expect(headers.get("content-length")).toBe("1000");
    expect(headers.get("content-range")).toBeNull();
  });

  it("refuses other methods with those that it has", async () => {
    const raw = await get({}, "DELETE");
    expectError(asAnswer(raw), 405, "method_not_allowed");
    expect(raw.headers.get("allow")).toBe("GET, HEAD");
  });

  it.each([`"${SHA256}"`, `W/"${SHA256}"`, `"other", "${SHA256}"`, "*"])(
    "is 304 for who has %s",
    async (tag) => {
      for (const method of ["GET", "HEAD"]) {
        const { status, headers, bytes } = await get({ "if-none-match": tag, range: "bytes=0-9" }, method);
        expect(status).toBe(304);
        expect(bytes).toHaveLength(0);
        expect(headers.get("etag")).toBe(`"${SHA256}"`);
        expect(headers.get("cache-control")).toContain("immutable");
        expect(headers.get("content-length")).toBeNull();
      }
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
    ["Bytes=0-9", 0, 9],
    ["bytes= 0-9 ", 0, 9],
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

  it.each([
    "bytes=0-1,5-6",
    "bytes=0-1,",
    "bytes=0x1-2",
    "bytes=1.5-2",
    "bytes=--1",
    "",
    "lines=0-1",
    "bytes=-",
    "bytes=a-b",
    "bytes 0-1",
  ])("gives the whole file for %j, which is not one range of bytes", async (range) => {
    const { status, bytes } = await get({ range });
    expect(status).toBe(200);
    expect(bytes).toHaveLength(1_000);
  });

  it("is only given to whom If-Match means", async () => {
    for (const tag of [`"${SHA256}"`, "*", `"other", "${SHA256}"`])
      expect((await get({ "if-match": tag })).status).toBe(200);
    for (const tag of ['"other"', `W/"${SHA256}"`, SHA256])
      expectError(asAnswer(await get({ "if-match": tag })), 412, "precondition_failed");
  });

  it("gives a range only of the file that If-Range means", async () => {
    expect((await get({ range: "bytes=0-9", "if-range": `"${SHA256}"` })).status).toBe(206);
    for (const other of ['"other"', `W/"${SHA256}"`, SHA256, "", "Sat, 21 Nov 2026 06:00:00 GMT"])
      expect((await get({ range: "bytes=0-9", "if-range": other })).status).toBe(200);
  });

  it.each(["x".repeat(240), "\u00e4".repeat(40), "\u{1f600}".repeat(20)])(
    "may be named as long as %s",
    async (filename) => {
      const own = await store(platform, BYTES, { mime: "text/plain", filename });
      expect((await rawRequest(platform, "GET", own)).status).toBe(200);
    },
  );

  it("may be empty", async () => {
    const empty = await store(platform, new Uint8Array(), { mime: "text/plain", filename: "empty.txt" });
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
    `/artifacts/${SHA256}/a%2520panel.stl`,
    `/artifacts/${SHA256}/a%20panel.stl/`,
    `/artifacts/${SHA256}//a%20panel.stl`,
    `/artifacts/${SHA256}/A%20PANEL.STL`,
    `/artifacts/${SHA256}%2fa%20panel.stl`,
    `/artifacts/%2e/${SHA256}/a%20panel.stl`,
    `/artifacts/${SHA256.slice(0, 2)}%2f${SHA256}/a%20panel.stl`,
    `/artifacts/${SHA256}%01/a%20panel.stl`,
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

  it("that is not found may be there a moment later, for caches as well", async () => {
    const raw = await rawRequest(platform, "GET", `/artifacts/${"0".repeat(64)}/a.png`);
    expect(raw.headers.get("cache-control")).toBe("no-store");
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
    expect(JSON.stringify(answer.body)).not.toMatch(/ENOENT|NoSuchKey|files/);
    expect((await rawRequest(platform, "HEAD", `/artifacts/${sha256}/lost.txt`)).status).toBe(500);
  });
});

describe("an artifact whose store fails", () => {
  const lost = randomBytes(100_000);

  it("is 503 while the bucket does not answer, and there again when it does", async () => {
    const path = await store(inBucket, lost, { mime: "image/png", filename: "a.png" });
    for (const method of ["GET", "HEAD"]) {
      s3.order("500", "500", "500");
      const raw = await rawRequest(inBucket, method, path);
      expect(raw.status).toBe(503);
      expect(raw.headers.get("cache-control") ?? "").not.toContain("immutable");
    }
    expect((await rawRequest(inBucket, "GET", path)).bytes.equals(lost)).toBe(true);
  });

  it.each(["", "bytes=10-99999"])(
    "breaks off where the bucket does, and never ends as if it were whole (%j)",
    async (range) => {
      const path = await store(inBucket, lost, { mime: "image/png", filename: "a.png" });
      s3.order("cut");
      const response = await fetch(`${inBucket.baseUrl}${path}`, { headers: range === "" ? {} : { range } });
      expect(response.ok).toBe(true);
      await expect(response.arrayBuffer()).rejects.toThrow();
    },
  );

  it("is no longer fetched from the bucket when its reader has gone", async () => {
    const path = await store(inBucket, lost, { mime: "image/png", filename: "a.png" });
    const before = s3.brokenOff();
    s3.order("stall");
    const reader = new AbortController();
    await fetch(`${inBucket.baseUrl}${path}`, { signal: reader.signal });
    reader.abort();
    await until(async () => s3.brokenOff() > before);
  });

  it("is an error when its file has gone from the disk, and there again when the same is made again", async () => {
    const about = { mime: "image/png", filename: "a.png" };
    const path = await store(onDisk, lost, about);
    await rm(join(onDisk.runtime.config.dataDir, "artifacts", "files"), { recursive: true });
    expect((await rawRequest(onDisk, "GET", path)).status).toBe(500);
    await store(onDisk, lost, about);
    expect((await rawRequest(onDisk, "GET", path)).bytes.equals(lost)).toBe(true);
  });
});

/** Stores bytes, and gives the path of their address. */
async function store(
  platform: TestPlatform,
  bytes: Uint8Array,
  about: { readonly mime: string; readonly filename: string },
): Promise<string> {
  const { url } = await platform.runtime.store.put(bytes, about);
  return new URL(url).pathname;
}
