import type { IncomingMessage } from "node:http";
import { AppError, invalidInput, overloaded } from "../../core/errors.ts";
import type { Quota } from "../../core/quota.ts";

/** The bytes of a request body, whole, in the order of their arrival. */
export type ReceivedBody = { readonly blocks: readonly Uint8Array[]; readonly bytes: number };

/** Shorter chunks are copied into blocks of this size: a body that comes byte by byte takes no more memory than another. */
const BLOCK_BYTES = 16_384;

/**
 * Collects a body. It is counted in the quota for its owner from its first byte on; who is done with it gives it back.
 * Throws, with nothing counted, `payload_too_large`, `overloaded`, and `invalid_input` for one that breaks off or is
 * not as long as it said.
 */
export function receiveBody(
  payload: IncomingMessage,
  { limit, quota, owner }: { readonly limit: number; readonly quota: Quota; readonly owner: string },
): Promise<ReceivedBody> {
  const length = payload.headers["content-length"];
  if (length !== undefined && Number(length) > limit) return Promise.reject(tooLarge());
  const done = Promise.withResolvers<ReceivedBody>();
  const received = new Blocks();
  const stop = (): void => {
    payload.off("data", onData);
    payload.off("end", onEnd);
    payload.off("error", onError);
  };
  const fail = (error: AppError): void => {
    stop();
    quota.give(owner, received.bytes);
    done.reject(error);
  };
  const onData = (chunk: Buffer): void => {
    if (received.bytes + chunk.length > limit) fail(tooLarge());
    else if (quota.tryTake(owner, chunk.length)) received.add(chunk);
    else fail(overloaded("This service is taking in as many bytes as it can hold."));
  };
  const onEnd = (): void => {
    if (length !== undefined && Number(length) !== received.bytes) {
      fail(malformed("The body is not as long as Content-Length says."));
      return;
    }
    stop();
    done.resolve(received);
  };
  const onError = (): void => fail(malformed("The request is malformed."));
  payload.on("data", onData);
  payload.on("end", onEnd);
  payload.on("error", onError);
  payload.resume();
  return done.promise;
}

/** Bytes as they come, in blocks that own their memory, so that they can be handed to a thread without a copy. */
class Blocks {
  readonly blocks: Uint8Array[] = [];
  bytes = 0;
  #tail: Buffer | undefined;
  #tailBytes = 0;

  add(chunk: Buffer): void {
    this.bytes += chunk.length;
    if (ownsMemory(chunk) && (this.blocks.length === 0 || chunk.length >= BLOCK_BYTES)) {
      this.blocks.push(chunk);
      this.#tail = undefined;
      return;
    }
    for (let at = 0; at < chunk.length;) at += this.#append(chunk.subarray(at));
  }

  #append(chunk: Buffer): number {
    if (this.#tail === undefined || this.#tailBytes === BLOCK_BYTES) {
      this.#tail = Buffer.allocUnsafeSlow(BLOCK_BYTES);
      this.#tailBytes = 0;
      this.blocks.push(this.#tail);
    }
    const copied = chunk.copy(this.#tail, this.#tailBytes);
    this.#tailBytes += copied;
    this.blocks[this.blocks.length - 1] = this.#tail.subarray(0, this.#tailBytes);
    return copied;
  }
}

/** Small buffers are mostly parts of a larger one that others use as well. */
const ownsMemory = (chunk: Buffer): boolean => chunk.byteLength === chunk.buffer.byteLength;

const tooLarge = (): AppError =>
  new AppError("payload_too_large", "The body is larger than this endpoint takes.");
const malformed = (message: string): AppError => invalidInput([{ path: "", message }]);
