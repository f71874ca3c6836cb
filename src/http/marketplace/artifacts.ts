import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../../core/errors.ts";
import { hasEtag } from "../server/etag.ts";
import type { ArtifactFiles, MarketplaceServices, StoredFile } from "./services.ts";

const HASH = /^[0-9a-f]{64}$/;
const ONE_YEAR_S = 31_536_000;

type Request = FastifyRequest<{ Params: { sha256: string; filename: string } }>;

/** Stored files under their permanent addresses. Whoever has an address may read: it names the content's hash. */
export function artifactRoutes(app: FastifyInstance, { files }: MarketplaceServices): void {
  app.route<{ Params: { sha256: string; filename: string } }>({
    // A HEAD that is made from the GET would fetch all bytes to say how many they are.
    method: ["GET", "HEAD"],
    url: "/artifacts/:sha256/:filename",
    schema: { hide: true },
    handler: (request, reply) => answer(files, request, reply),
  });
}

async function answer(files: ArtifactFiles, request: Request, reply: FastifyReply): Promise<FastifyReply> {
  const file = await find(files, request, reply);
  const headers = headersOf(file);
  requireMatch(request.headers["if-match"], headers.etag);
  if (hasEtag(request.headers["if-none-match"], headers.etag)) {
    return await reply.code(304).headers(headers).send();
  }
  // Only GET has ranges (RFC 9110, 14.2).
  if (request.method === "HEAD") {
    await files.check(file);
    return await reply.headers(headers).header("content-length", file.bytes).send();
  }
  const range = rangeOf(rangeHeader(request, headers.etag), file.bytes, reply);
  // Opened before anything is promised: a file that is gone is an error, not half an answer.
  const stream = await files.stream(file, range ?? undefined);
  void reply.headers(headers).header("content-length", file.bytes);
  if (range !== null) {
    void reply.code(206).headers({
      "content-range": `bytes ${range.start}-${range.end}/${file.bytes}`,
      "content-length": range.end - range.start + 1,
    });
  }
  return await reply.send(stream);
}

async function find(files: ArtifactFiles, { params }: Request, reply: FastifyReply): Promise<StoredFile> {
  const file = HASH.test(params.sha256) ? await files.info(params.sha256, params.filename) : undefined;
  if (file !== undefined) return file;
  // It may be stored in a moment; a cache between must not go on saying that it is not there.
  void reply.header("cache-control", "no-store");
  throw new AppError("not_found", "There is no such file.");
}

function headersOf({ sha256, mime, filename }: StoredFile) {
  return {
    "cache-control": `public, max-age=${ONE_YEAR_S}, immutable`,
    etag: `"${sha256}"`,
    "accept-ranges": "bytes",
    "content-type": mime,
    "content-disposition": contentDisposition(filename),
    // Whatever was stored, also a page or a drawing with scripts, does nothing in this origin's name.
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    "cross-origin-resource-policy": "cross-origin",
  };
}

/**
 * The name under which a browser saves the file (RFC 6266): in plain letters for the old, and as it is (RFC 8187) where
 * these are not all of it.
 */
function contentDisposition(filename: string): string {
  const plain = filename.replace(/[^\w.-]/g, "_");
  if (plain === filename) return `inline; filename="${plain}"`;
  const encoded = encodeURIComponent(filename).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16)}`,
  );
  return `inline; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

/** Throws `precondition_failed` for an `If-Match` that means another file, by strong ETags (RFC 9110, 13.1.1). */
function requireMatch(header: string | undefined, etag: string): void {
  const wanted = header?.split(",").map((tag) => tag.trim()) ?? ["*"];
  if (wanted.includes("*") || wanted.includes(etag)) return;
  throw new AppError("precondition_failed", "The file at this address is not the one that If-Match means.");
}

/** `Range`, unless `If-Range` means another file: only a strong ETag can mean this one (RFC 9110, 13.1.5). */
function rangeHeader({ headers }: Request, etag: string): string | undefined {
  const ifRange = headers["if-range"];
  return ifRange === undefined || ifRange === etag ? headers.range : undefined;
}

/**
 * The one range that is asked for (RFC 9110, 14), or null for the whole file: also for several ranges at once, and for
 * what is no range of bytes. Throws `range_not_satisfiable`.
 */
function rangeOf(
  header: string | undefined,
  bytes: number,
  reply: FastifyReply,
): { readonly start: number; readonly end: number } | null {
  const [match, first = "", last = ""] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? "") ?? [];
  if (match === undefined || (first === "" && last === "")) return null;
  const start = first === "" ? Math.max(0, bytes - Number(last)) : Number(first);
  const end = first === "" || last === "" ? bytes - 1 : Math.min(Number(last), bytes - 1);
  if (start <= end && start < bytes) return { start, end };
  void reply.header("content-range", `bytes */${bytes}`);
  throw new AppError(
    "range_not_satisfiable",
    `The file has ${bytes} bytes, and none of them is in that range.`,
  );
}
