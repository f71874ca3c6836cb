import type { IncomingMessage } from "node:http";
import { AppError, invalidInput, overloaded } from "../../core/errors.ts";
import { LIMITS } from "../../core/limits.ts";
import type { Quota } from "../../core/quota.ts";

import type { Intake } from "./intake.ts";

/** The bytes of a request body, whole, in the order of their arrival. */
export type ReceivedBody = { readonly blocks: readonly Uint8Array[]; readonly bytes: number };

/** Shorter chunks are copied into blocks of this size: a body that comes byte by byte takes no more memory than another. */
const BLOCK_BYTES = 16_384;

export type ReceiveOptions = {
  /** In bytes. */
  readonly limit: number;
  readonly quota: Quota;
  readonly owner: string;
  readonly intake: Intake;
};

/**
 * Collects a body, which is counted in the quota for its owner until it has ended. Throws `payload_too_large`,
 * `overloaded`, and `invalid_input` for one that breaks off or is not as long as it said. A body that the quota has no
 * room for is still read to its end, and dropped: a client that is cut off while it sends sees no answer.
 */
export function receiveBody(
  payload: IncomingMessage,
  { limit, quota, owner, intake }: ReceiveOptions,
): Promise<ReceivedBody> {
  const length = payload.headers["content-length"];
  if (length !== undefined && Number(length) > limit) return Promise.reject(tooLarge());
  const done = Promise.withResolvers<ReceivedBody>();
  const received = new Blocks();
  let bytes = 0;
  let isRefused = false;
  const late = setTimeout(() => onLate(), LIMITS.bodyArrivalMs);
  const stop = (): void => {
    clearTimeout(late);
    payload.off("data", onData);
    payload.off("end", onEnd);
    payload.off("error", onError);
    quota.give(owner, received.bytes);
  };
  const fail = (error: AppError): void => {
    stop();
    done.reject(error);
  };
  const onData = (chunk: Buffer): void => {
    bytes += chunk.length;
    intake.note(payload, chunk.length);
    if (bytes > limit) fail(tooLarge());
    else if (isRefused) return;
    else if (quota.tryTake(owner, chunk.length)) received.add(chunk);
    else {
      isRefused = true;
      quota.give(owner, received.bytes);
      received.drop();
    }
  };
  const onEnd = (): void => {
    if (isRefused) fail(overloaded("This service is taking in as many bytes as it can hold."));
    else if (length !== undefined && Number(length) !== bytes)
      fail(malformed("The body is not as long as Content-Length says."));
    else {
      stop();
      done.resolve(received);
    }
  };
  const onError = (): void => fail(malformed("The request is malformed."));
  const onLate = (): void => {
    fail(malformed(`The body did not arrive within ${LIMITS.bodyArrivalMs / 1000} s.`));
    // Whoever sends so slowly would keep the connection long after the answer.
    setTimeout(() => payload.destroy(), 2 * LIMITS.lingerMs).unref();
  };
  payload.on("data", onData);
  payload.on("end", onEnd);
  payload.on("error", onError);
  payload.resume();
  return done.promise;
}

/** Bytes as they come, in blocks that own their memory, so that they can be handed to a thread without a copy. */
class Blocks {
  blocks: Uint8Array[] = [];
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

  drop(): void {
    this.blocks = [];
    this.bytes = 0;
    this.#tail = undefined;
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
