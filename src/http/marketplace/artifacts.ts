import type { FastifyInstance, FastifyReply } from "fastify";
import { AppError } from "../../core/errors.ts";
import { hasEtag } from "../etag.ts";
import type { ArtifactFiles, MarketplaceServices } from "./services.ts";

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
      if (info === undefined || info.filename !== filename)
        throw new AppError("not_found", "There is no such file.");
      const etag = `"${sha256}"`;
      void reply.headers({
        "cache-control": `public, max-age=${ONE_YEAR_S}, immutable`,
        etag,
        "accept-ranges": "bytes",
        "content-type": info.mime,
        "content-disposition": `inline; filename="${filename.replace(/[^\w.-]/g, "_")}"`,
        "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        "cross-origin-resource-policy": "cross-origin",
      });
      if (hasEtag(request.headers["if-none-match"], etag)) return await reply.code(304).send();
      const ifRange = request.headers["if-range"];
      const range = ifRange === undefined || ifRange === etag ? request.headers.range : undefined;
      return await sendBytes(reply, files, info, range);
    },
  );
}

/** The whole file, or the one range that is asked for (RFC 9110, 14); several ranges at once get the whole. */
async function sendBytes(
  reply: FastifyReply,
  files: ArtifactFiles,
  { sha256, bytes }: { readonly sha256: string; readonly bytes: number },
  header: string | undefined,
): Promise<FastifyReply> {
  const range = /^bytes=(\d*)-(\d*)$/.exec(header ?? "");
  if (range === null || (range[1] === "" && range[2] === "")) {
    return await reply.header("content-length", bytes).send(files.stream(sha256));
  }
  const [, first = "", last = ""] = range;
  const start = first === "" ? Math.max(0, bytes - Number(last)) : Number(first);
  const end = first === "" || last === "" ? bytes - 1 : Math.min(Number(last), bytes - 1);
  if (start > end || start >= bytes) {
    void reply.headers({ "content-range": `bytes */${bytes}`, "cache-control": "no-store" });
    void reply.removeHeader("content-type").removeHeader("etag").removeHeader("content-disposition");
    throw new AppError(
      "range_not_satisfiable",
      `The file has ${bytes} bytes, and none of them is in that range.`,
    );
  }
  return await reply
    .code(206)
    .headers({ "content-range": `bytes ${start}-${end}/${bytes}`, "content-length": end - start + 1 })
    .send(files.stream(sha256, { start, end }));
}
