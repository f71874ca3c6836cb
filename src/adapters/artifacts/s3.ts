import type { Readable } from "node:stream";
import {
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import { sha256Hex } from "../../core/canonical.ts";
import { AppError } from "../../core/errors.ts";
import { type Blob, type BlobStore, type ByteRange, pathOf, wrongSize } from "./blobs.ts";

export type S3Settings = {
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** The folder in the bucket; empty for its root. */
  readonly prefix: string;
};

/** What one request may take; each is tried so often, and all of it may take so long. */
const CONNECT_TIMEOUT_MS = 3_000;
const REQUEST_TIMEOUT_MS = 15_000;
const TRIES = 3;
/** A connection on which nothing moves, also in the middle of an object. */
const STALL_TIMEOUT_MS = 10_000;

/** What tells that the store itself is at fault, and not what it was asked: worth another try later. */
const SERVER_FAULT = 500;
const TOO_MANY_REQUESTS = 429;

export type S3Options = {
  /** Told why the store did not answer, for whoever runs it. */
  readonly onAway: (why: string) => void;
  /** How long a request may wait for its answer, and a connection be still. */
  readonly requestTimeoutMs?: number;
};

/** Blobs as objects of an S3-compatible bucket, addressed by path. Objects are written whole or not at all. */
export class S3Blobs implements BlobStore {
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #prefix: string;
  readonly #onAway: (why: string) => void;

  constructor(settings: S3Settings, { onAway, requestTimeoutMs = REQUEST_TIMEOUT_MS }: S3Options) {
    this.#onAway = onAway;
    this.#bucket = settings.bucket;
    this.#prefix = settings.prefix === "" ? "" : `${settings.prefix}/`;
    this.#client = new S3Client({
      endpoint: settings.endpoint,
      region: settings.region,
      credentials: { accessKeyId: settings.accessKeyId, secretAccessKey: settings.secretAccessKey },
      forcePathStyle: true,
      maxAttempts: TRIES,
      // Servers other than Amazon's refuse the newer checksums; SHA-256 goes along with each object instead.
      requestChecksumCalculation: "WHEN_REQUIRED",
      responseChecksumValidation: "WHEN_REQUIRED",
      requestHandler: {
        connectionTimeout: CONNECT_TIMEOUT_MS,
        requestTimeout: requestTimeoutMs,
        throwOnRequestTimeout: true,
        socketTimeout: Math.min(STALL_TIMEOUT_MS, requestTimeoutMs),
      },
    });
  }

  async write(blob: Blob, bytes: Uint8Array): Promise<void> {
    const put = new PutObjectCommand({
      ...this.#object(blob),
      Body: bytes,
      ContentLength: bytes.length,
      ContentType: "application/octet-stream",
      ChecksumSHA256: Buffer.from(blob.sha256, "hex").toString("base64"),
    });
    await this.#client.send(put).catch(this.#explain);
  }

  /** The blob without bytes: it is what its address says, and takes no room. */
  async tryWrite(): Promise<void> {
    await this.write({ kind: "files", sha256: sha256Hex("") }, new Uint8Array());
  }

  async read(blob: Blob): Promise<Uint8Array> {
    try {
      const { Body } = await this.#client.send(new GetObjectCommand(this.#object(blob)));
      return (await Body?.transformToByteArray()) ?? new Uint8Array();
    } catch (error) {
      return this.#explain(error);
    }
  }

  async check(blob: Blob, bytes: number): Promise<void> {
    const { ContentLength } = await this.#client
      .send(new HeadObjectCommand(this.#object(blob)))
      .catch(this.#explain);
    if (ContentLength !== bytes) throw wrongSize(blob, ContentLength, bytes);
  }

  async stream(blob: Blob, bytes: number, range?: ByteRange): Promise<Readable> {
    const Range = range && `bytes=${range.start}-${range.end}`;
    const get = new GetObjectCommand({ ...this.#object(blob), Range });
    const { Body, ContentLength } = await this.#client.send(get).catch(this.#explain);
    const body = Body as Readable;
    const expected = range === undefined ? bytes : range.end - range.start + 1;
    if (ContentLength !== expected) {
      body.destroy();
      throw wrongSize(blob, ContentLength, expected);
    }
    return body;
  }

  close(): void {
    this.#client.destroy();
  }

  #object(blob: Blob): { readonly Bucket: string; readonly Key: string } {
    return { Bucket: this.#bucket, Key: `${this.#prefix}${pathOf(blob)}` };
  }

  /** Throws what went wrong in our words: those of the store may name keys. */
  readonly #explain = (error: unknown): never => {
    if (!(error instanceof Error)) throw error;
    const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
    if (status === undefined || status >= SERVER_FAULT || status === TOO_MANY_REQUESTS) {
      const { code = error.message } = error as { code?: unknown };
      this.#onAway(status === undefined ? `${error.name}: ${String(code)}` : `${status} ${error.name}`);
      throw new AppError("unavailable", "The artifact store does not answer. Try again.");
    }
    throw new Error(`the artifact store answers ${status} ${error.name}`);
  };
}
