import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from "fastify";
import type { Authenticator } from "../../core/accounts/authenticate.ts";
import { keyRestricted } from "../../core/accounts/manager.ts";
import type { Caller } from "../../core/calls/call-request.ts";
import { noteRequest } from "./request-log.ts";
import { timesGiven } from "./well-formed.ts";

const callers = new WeakMap<FastifyRequest, Caller>();

/** A hook that lets only valid keys pass, before the body is read. Also takes `X-API-Key`. */
export function requireKey(authenticator: Authenticator): onRequestAsyncHookHandler {
  return async (request, reply) => admit(request, reply, await authenticator.authenticate(keyOf(request)));
}

/** The same for what changes the keys or secrets of the account: a key with an end or a spend limit does not pass. */
export function requireManagingKey(authenticator: Authenticator): onRequestAsyncHookHandler {
  return async (request, reply) => {
    const holder = await authenticator.authenticate(keyOf(request));
    admit(request, reply, holder);
    if (holder.restricted) throw keyRestricted();
  };
}

/** Lets a request pass as this caller's. What it is answered is the account's own, and no cache keeps it. */
export function admit(request: FastifyRequest, reply: FastifyReply, caller: Caller): void {
  void reply.header("cache-control", "no-store");
  callers.set(request, caller);
  noteRequest(request, { accountId: caller.accountId });
}

/** Who calls; only for requests that were let pass. */
export function callerOf(request: FastifyRequest): Caller {
  const caller = callers.get(request);
  if (caller === undefined)
    throw new Error(`${request.routeOptions.url} asks for its caller and does not require a key`);
  return caller;
}

/** Whose share of a process the work for a request counts against: the account, or the address where none is known. */
export const ownerOf = (request: FastifyRequest): string => callers.get(request)?.accountId ?? request.ip;

/** Nothing where there are two: which of them is meant cannot be told. */
function keyOf(request: FastifyRequest): string | undefined {
  if (timesGiven(request.raw, "authorization") > 1) return undefined;
  const [scheme, key, ...rest] = (request.headers.authorization ?? "").split(" ");
  if (scheme?.toLowerCase() === "bearer" && rest.length === 0) return key;
  const header = request.headers["x-api-key"];
  return typeof header === "string" ? header : undefined;
}
