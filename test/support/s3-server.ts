import { createHash, createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { S3Settings } from "../../src/adapters/artifacts/s3.ts";

/** How a request is answered instead. */
export type Fault = "500" | "503" | "403" | "hang" | "cut" | "stall";

export type S3Server = {
  readonly settings: S3Settings;
  /** The objects by key; a test may take them away or change them. */
  readonly objects: Map<string, Buffer>;
  /** Answers the next requests so, one after another. */
  order(...faults: readonly Fault[]): void;
  /** Answers every request so until it is told otherwise. */
  always(fault: Fault | undefined): void;
  /** How many answers were given up by who asked before they ended. */
  brokenOff(): number;
  /** `METHOD key` of every request that was let in, in order. */
  readonly requests: readonly string[];
  close(): Promise<void>;
};

/** The settings of a bucket, as the environment gives them. */
export const bucketEnv = ({ settings }: S3Server): Record<string, string> => ({
  S3_ENDPOINT: settings.endpoint,
  S3_BUCKET: settings.bucket,
  S3_REGION: settings.region,
  S3_ACCESS_KEY_ID: settings.accessKeyId,
  S3_SECRET_ACCESS_KEY: settings.secretAccessKey,
});

/**
 * A fake of an S3-compatible server for tests, over a real socket. It keeps objects in memory, and checks of a request
 * what Amazon's would: its signature (SigV4), the bucket, and that the body is what its checksums say.
 */
export async function startS3Server(options: { readonly prefix?: string } = {}): Promise<S3Server> {
  const objects = new Map<string, Buffer>();
  const requests: string[] = [];
  const faults: Fault[] = [];
  let lasting: Fault | undefined;
  let brokenOff = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      response.on("close", () => void (brokenOff += response.writableFinished ? 0 : 1));
      response.setHeader("server", "meshforge-test-s3 (a fake)");
      const body = Buffer.concat(chunks);
      const refusal = refusalOf(request, body, settings);
      if (refusal !== undefined) return sendError(request, response, refusal);
      const key = decodeURIComponent((request.url ?? "").split("?")[0] ?? "").slice(
        settings.bucket.length + 2,
      );
      requests.push(`${request.method} ${key}`);
      return serve({ request, response, body, key, objects, fault: faults.shift() ?? lasting });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const settings: S3Settings = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bucket: "test-bucket",
    region: "eu-test-1",
    accessKeyId: "TESTKEY",
    secretAccessKey: "test/secret",
    prefix: options.prefix ?? "",
  };
  return {
    settings,
    objects,
    requests,
    order: (...more) => void faults.push(...more),
    brokenOff: () => brokenOff,
    always: (fault) => void (lasting = fault),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type Refusal = readonly [status: number, code: string];

type Exchange = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: Buffer;
  readonly key: string;
  readonly objects: Map<string, Buffer>;
  readonly fault: Fault | undefined;
};

function serve({ request, response, body, key, objects, fault }: Exchange): void {
  if (fault === "hang") return;
  if (fault === "500") return sendError(request, response, [500, "InternalError"]);
  if (fault === "503") return sendError(request, response, [503, "SlowDown"]);
  if (fault === "403") return sendError(request, response, [403, "AccessDenied"]);
  if (request.method === "PUT") {
    if (fault !== undefined) return void request.socket.destroy();
    objects.set(key, body);
    return void response.writeHead(200, { etag: `"${hash("md5", body)}"` }).end();
  }
  const object = objects.get(key);
  if (object === undefined) return sendError(request, response, [404, "NoSuchKey"]);
  const [status, part, headers] = partOf(object, request.headers.range);
  response.writeHead(status, {
    ...headers,
    "content-length": part.length,
    "content-type": "binary/octet-stream",
  });
  if (request.method === "HEAD") return void response.end();
  if (fault === undefined) return void response.end(part);
  response.write(part.subarray(0, Math.ceil(part.length / 2)));
  if (fault === "cut") setImmediate(() => request.socket.destroy());
}

function partOf(object: Buffer, range: string | undefined): [number, Buffer, Record<string, string>] {
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range ?? "") ?? [];
  if (first === undefined || last === undefined) return [200, object, {}];
  const part = object.subarray(Number(first), Number(last) + 1);
  return [206, part, { "content-range": `bytes ${first}-${last}/${object.length}` }];
}

function sendError({ method }: IncomingMessage, response: ServerResponse, [status, code]: Refusal): void {
  response.writeHead(status, { "content-type": "application/xml" });
  response.end(
    method === "HEAD"
      ? undefined
      : `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>refused</Message></Error>`,
  );
}

function refusalOf(request: IncomingMessage, body: Buffer, settings: S3Settings): Refusal | undefined {
  const { headers, url = "" } = request;
  if (headers.authorization !== signature(request, settings)) return [403, "SignatureDoesNotMatch"];
  if (headers["x-amz-content-sha256"] !== hash("sha256", body)) return [400, "XAmzContentSHA256Mismatch"];
  if (!url.startsWith(`/${settings.bucket}/`)) return [404, "NoSuchBucket"];
  for (const [header, algorithm] of [
    ["content-md5", "md5"],
    ["x-amz-checksum-sha256", "sha256"],
  ] as const) {
    const given = headers[header];
    if (given !== undefined && given !== hash(algorithm, body, "base64")) return [400, "BadDigest"];
  }
  return undefined;
}

/** What `Authorization` must be (Signature Version 4, as Amazon's S3 documents it). */
function signature({ method, url = "", headers }: IncomingMessage, settings: S3Settings): string {
  const [, scope = "", names = ""] =
    /Credential=[^/]+\/([^,]+), ?SignedHeaders=([^,]+)/.exec(headers.authorization ?? "") ?? [];
  const [path = "", query = ""] = url.split("?");
  const canonical = [
    method,
    path,
    query
      .split("&")
      .filter(Boolean)
      .sort()
      .map((part) => (part.includes("=") ? part : `${part}=`))
      .join("&"),
    ...names.split(";").map((name) => `${name}:${String(headers[name]).trim()}`),
    "",
    names,
    headers["x-amz-content-sha256"],
  ].join("\n");
  const toSign = ["AWS4-HMAC-SHA256", headers["x-amz-date"], scope, hash("sha256", canonical)].join("\n");
  const day = String(headers["x-amz-date"]).slice(0, 8);
  const key = [day, settings.region, "s3", "aws4_request"].reduce<string | Buffer>(
    (last, part) => createHmac("sha256", last).update(part).digest(),
    `AWS4${settings.secretAccessKey}`,
  );
  const signed = createHmac("sha256", key).update(toSign).digest("hex");
  return `AWS4-HMAC-SHA256 Credential=${settings.accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signed}`;
}

const hash = (algorithm: "md5" | "sha256", data: string | Buffer, as: "hex" | "base64" = "hex"): string =>
  createHash(algorithm).update(data).digest(as);
