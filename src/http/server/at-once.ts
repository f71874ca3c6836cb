import type { FastifyReply, FastifyRequest } from "fastify";

/**
 * A hook that waits for nothing. One that gives a promise puts each request off until the promises of all others had their
 * turn, and there are a dozen hooks.
 */
export const atOnce =
  (work: (request: FastifyRequest, reply: FastifyReply) => void) =>
  (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    work(request, reply);
    done();
  };
