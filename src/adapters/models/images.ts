import { request } from "undici";
import { ModelFault } from "../../core/models/client.ts";
import { parseTarget } from "../../core/outbound/targets.ts";
import { createOutboundAgent } from "../outbound/agent.ts";

/** The largest image that is taken: a lossless one of four megapixels is some 16 MiB. */
const MAX_IMAGE_BYTES = 32 * 1_048_576;
const DATA_URL = /^data:image\/[\w.+-]+;base64,/;
const PUBLIC_ONLY = { allowPrivate: false };

/** The bytes of an image in base64. Throws the fault `garbled` for none, and for one that is too large. */
export function decodeImage(base64: string): Uint8Array {
  const bytes = Buffer.from(base64, "base64");
  if (bytes.byteLength === 0 || bytes.byteLength > MAX_IMAGE_BYTES) throw new ModelFault("garbled");
  return bytes;
}

/**
 * The image at an address that a model server gave. It lies on that server itself, or at a public address: what the
 * server says must not lead into the network. Throws the fault `garbled` for an address that gives no image, dead or
 * slow as it may be: the model server has answered.
 */
export async function fetchImage(
  url: string,
  serverUrl: string,
  signal: AbortSignal,
  timeoutMs: number,
): Promise<Uint8Array> {
  const inline = DATA_URL.exec(url);
  if (inline !== null) return decodeImage(url.slice(inline[0].length));
  const timeout = AbortSignal.timeout(Math.max(0, Math.ceil(timeoutMs)));
  try {
    return await fetchAllowed(url, new URL(serverUrl), AbortSignal.any([signal, timeout]));
  } catch (error) {
    throw error instanceof ModelFault ? error : new ModelFault(signal.aborted ? "aborted" : "garbled");
  }
}

async function fetchAllowed(url: string, server: URL, signal: AbortSignal): Promise<Uint8Array> {
  const parsed = URL.parse(url);
  if (parsed !== null && parsed.origin === server.origin) return await download(parsed, signal);
  const target = parseTarget(url, PUBLIC_ONLY);
  if ("refused" in target) throw new ModelFault("garbled");
  const guarded = createOutboundAgent(PUBLIC_ONLY);
  try {
    return await download(target, signal, guarded);
  } finally {
    await guarded.destroy();
  }
}

async function download(
  url: URL,
  signal: AbortSignal,
  dispatcher?: ReturnType<typeof createOutboundAgent>,
): Promise<Uint8Array> {
  const { statusCode, body } = await request(url, {
    signal,
    ...(dispatcher === undefined ? {} : { dispatcher }),
  });
  // What is left of a body that is not read ends with its connection.
  body.on("error", () => undefined);
  if (statusCode !== 200) {
    body.destroy();
    throw new ModelFault("garbled", { status: statusCode });
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength;
    if (bytes > MAX_IMAGE_BYTES) throw new ModelFault("garbled");
    chunks.push(chunk);
  }
  if (bytes === 0) throw new ModelFault("garbled");
  return Buffer.concat(chunks);
}
