import type { FastifyInstance } from "fastify";
import { AppError } from "../../core/errors.ts";
import { hasEtag } from "../etag.ts";
import type { MarketplaceServices } from "./services.ts";

const HASH = /^[0-9a-f]{64}$/;
const ONE_YEAR_S = 31_536_000;

/** Stored files under their permanent addresses. Whoever has an address may read: it names the content's hash. */
export function artifactRoutes(app: FastifyInstance, { files }: MarketplaceServices): void {
  app.get<{ Params: { sha256: string; filename: string } }>(
    "/artifacts/:sha256/:filename",
    { schema: { hide: true } },
    async (request, reply) => {
      const { sha256, filename } = request.params;
      const info = HASH.test(sha256) ? await files.info(sha256) : undefined;
      if (info === undefined || info.filename !== filename) {
        throw new AppError("not_found", "There is no such file.");
      }
      const about = aboutFile(info);
      if (hasEtag(request.headers["if-none-match"], about.etag)) {
        return await reply.code(304).headers(about).send();
      }
      const ifRange = request.headers["if-range"];
      const range = rangeOf(
        ifRange === undefined || ifRange === about.etag ? request.headers.range : undefined,
        info.bytes,
        reply,
      );
      // Opened before anything is promised: a file that is gone is an error, not half an answer.
      const stream = await files.stream(sha256, range ?? undefined);
      void reply.headers(about).header("content-length", info.bytes);
      if (range !== null) {
        void reply.code(206).headers({
          "content-range": `bytes ${range.start}-${range.end}/${info.bytes}`,
          "content-length": range.end - range.start + 1,
        });
      }
      return await reply.send(stream);
    },
  );
}

function aboutFile({
  sha256,
  mime,
  filename,
}: {
  readonly sha256: string;
  readonly mime: string;
  readonly filename: string;
}) {
  return {
    "cache-control": `public, max-age=${ONE_YEAR_S}, immutable`,
    etag: `"${sha256}"`,
    "accept-ranges": "bytes",
    "content-type": mime,
    "content-disposition": `inline; filename="${filename.replace(/[^\w.-]/g, "_")}"`,
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    "cross-origin-resource-policy": "cross-origin",
  };
}

/**
 * The one range that is asked for (RFC 9110, 14), or null for the whole file: also for several ranges at once, and for
 * what is no range of bytes. Throws `range_not_satisfiable`.
 */
function rangeOf(
  header: string | undefined,
  bytes: number,
  reply: { header(name: string, value: string): unknown },
): { readonly start: number; readonly end: number } | null {
  const [match, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(header ?? "") ?? [];
  if (match === undefined || (first === "" && last === "")) return null;
  const start = first === "" ? Math.max(0, bytes - Number(last)) : Number(first);
  const end = first === "" || last === "" ? bytes - 1 : Math.min(Number(last), bytes - 1);
  if (start <= end && start < bytes) return { start, end };
  reply.header("content-range", `bytes */${bytes}`);
  throw new AppError(
    "range_not_satisfiable",
    `The file has ${bytes} bytes, and none of them is in that range.`,
  );
}
