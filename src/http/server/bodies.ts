import type { FastifyRequest } from "fastify";
import type { IncomingMessage } from "node:http";
import { bodyOf, type CallBody, type PreparedBody, prepareBody } from "../../core/calls/prepare.ts";
import { faultOf } from "../../core/errors.ts";
import { OutOfSteps } from "../../core/json-schema/faults.ts";
import { LIMITS } from "../../core/limits.ts";
import { Quota } from "../../core/quota.ts";
import type { Turns } from "../../core/turns.ts";
import { ownerOf } from "./auth.ts";
import type { BodyRead } from "./body-thread.ts";
import { BodyThreads } from "./body-threads.ts";
import { Intake } from "./intake.ts";
import { parseJsonBody } from "./json-body.ts";
import { receiveBody, type ReceivedBody } from "./received-body.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The handler takes the body as a `CallBody`, from `callBodyOf`; of at most so many bytes. */
    readonly callBody?: { readonly limitOf: (request: FastifyRequest) => number };
  }
}

/**
 * The bodies of the requests to one process, on all of its surfaces: takes them in within a quota, and reads the short
 * ones on the event loop, in turns, and the long ones in threads.
 */
export class Bodies {
  readonly #unfinished = new Quota(LIMITS.unfinishedBodyBytes);
  readonly #intake = new Intake();
  readonly #threads = new BodyThreads();
  readonly #turns: Turns;

  constructor(turns: Turns) {
    this.#turns = turns;
  }

  /** The body of a request: its value, or with `callBody` in the route's config a `CallBody` that is not read yet. */
  async read(request: FastifyRequest, payload: IncomingMessage): Promise<unknown> {
    const owner = ownerOf(request);
    const { bodyLimit, config } = request.routeOptions;
    const received = await receiveBody(payload, {
      limit: config.callBody?.limitOf(request) ?? bodyLimit ?? LIMITS.bodyBytes,
      quota: this.#unfinished,
      owner,
      intake: this.#intake,
    });
    return config.callBody !== undefined ? this.#callBody(received) : await this.#value(received, owner);
  }

  /** Notes bytes of a body that nobody reads: of all bodies together, only so much is taken in at a time. */
  noteDropped(payload: IncomingMessage, bytes: number): void {
    this.#intake.note(payload, bytes);
  }

  async close(): Promise<void> {
    await this.#threads.close();
  }

  #callBody(received: ReceivedBody): CallBody {
    return {
      prepare: async ({ accountId, capability, keyed }) => {
        const { folder, slug, schemas, contract } = capability;
        if (received.bytes <= LIMITS.bodyInLoopBytes) {
          const prepare = (): PreparedBody => prepareBody(contract, parseJsonBody(joined(received)), keyed);
          const onLoop = await this.#turns
            .run({ owner: accountId, bytes: received.bytes }, prepare)
            .catch(ifOutOfSteps);
          if (onLoop !== undefined) return onLoop;
        }
        const task = { blocks: received.blocks, call: { folder, slug, schemas, keyed } };
        return prepared(await this.#threads.read(task, accountId));
      },
    };
  }

  async #value(received: ReceivedBody, owner: string): Promise<unknown> {
    const { bytes, blocks } = received;
    if (bytes <= LIMITS.bodyInLoopBytes)
      return await this.#turns.run({ owner, bytes }, () => parseJsonBody(joined(received)));
    const read = await this.#threads.read({ blocks, call: null }, owner);
    return "value" in read ? read.value : undefined;
  }
}

/** A short body may still ask much of a foreign schema; then a thread reads it. */
function ifOutOfSteps(error: unknown): undefined {
  if (!(error instanceof OutOfSteps)) throw error;
}

/** The body of a request to a route with `callBody`; one without any is an empty object. */
export const callBodyOf = (request: FastifyRequest): CallBody =>
  (request.body as CallBody | undefined) ?? bodyOf({});

const joined = ({ blocks }: ReceivedBody): Uint8Array =>
  blocks.length === 1 ? (blocks[0] as Uint8Array) : Buffer.concat(blocks);

function prepared(read: Exclude<BodyRead, { readonly unreadable: unknown }>): PreparedBody {
  if ("value" in read) throw new Error("a thread read a call's body as a value");
  const { sha256, input } = read;
  if ("kind" in input) return { sha256, input: faultOf(input) };
  return { sha256, input: { ...input, bytes: input.json.length } };
}
