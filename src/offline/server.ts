import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { watchUnusedConnections } from "../http/server/unused-connections.ts";
import { type Body, readBody, sendJson } from "./exchange.ts";
import { MODEL_NAMES } from "./names.ts";
import { ProtocolError } from "./protocol-error.ts";

/** Looks at a request before it is answered; true when it has answered itself. */
export type Interceptor = (path: string, body: Body, response: ServerResponse) => Promise<boolean>;

export type OfflineServerOptions = {
  /** Folders of capabilities, whose `offline.ts` answer for them. */
  readonly roots: readonly string[];
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** 0, the default, takes a free one. */
  readonly port?: number;
  /** Told why a request could not be answered. */
  readonly onError?: (error: unknown) => void;
  /** For tests only: a server of the product has none. */
  readonly intercept?: Interceptor;
};

export type OfflineServer = {
  /** Without a path: requests go to `<url>/v1/...`. */
  readonly url: string;
  close(): Promise<void>;
};

type Route = {
  readonly method: "GET" | "POST";
  readonly answer: (body: Body, response: ServerResponse, roots: readonly string[]) => Promise<void> | void;
};

/** A whole request must arrive within this. */
const REQUEST_TIMEOUT_MS = 30_000;
const HEADERS_TIMEOUT_MS = 10_000;
/** Longer than clients keep a connection that they do not use. */
const KEEP_ALIVE_MS = 65_000;

/** What answers is imported with the first request for it: an idle server holds none of it. */
const ROUTES: Readonly<Record<string, Route>> = {
  "/healthz": { method: "GET", answer: (_, response) => sendJson(response, 200, { ok: true }) },
  "/v1/models": { method: "GET", answer: (_, response) => sendJson(response, 200, modelList()) },
  "/v1/chat/completions": {
    method: "POST",
    answer: async (body, response, roots) => (await import("./chat.ts")).chat(body, roots, response),
  },
  "/v1/embeddings": {
    method: "POST",
    answer: async (body, response) => (await import("./embeddings.ts")).embeddings(body, response),
  },
  "/v1/images/generations": {
    method: "POST",
    answer: async (body, response, roots) => (await import("./images.ts")).images(body, roots, response),
  },
};

/** Starts the offline model server, which speaks OpenAI's protocol. Fulfilled when it answers. */
export async function startOfflineServer(options: OfflineServerOptions): Promise<OfflineServer> {
  const { host = "127.0.0.1", port = 0 } = options;
  const server = createServer(
    {
      requestTimeout: REQUEST_TIMEOUT_MS,
      headersTimeout: HEADERS_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
    (request, response) => {
      void handle(request, response, options).catch((error: unknown) =>
        sendError(response, error, options.onError),
      );
    },
  );
  const endUnused = watchUnusedConnections(server);
  server.listen(port, host);
  await once(server, "listening");
  const { port: taken } = server.address() as AddressInfo;
  return { url: `http://${host}:${taken}`, close: () => close(server, endUnused) };
}

async function close(server: Server, endUnused: () => () => void): Promise<void> {
  const closed = once(server, "close");
  server.close();
  const stop = endUnused();
  await closed;
  stop();
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  { roots, intercept }: OfflineServerOptions,
): Promise<void> {
  const path = (request.url ?? "/").replace(/\?.*$/, "");
  const route = Object.hasOwn(ROUTES, path) ? ROUTES[path] : undefined;
  const model = /^\/v1\/models\/([\w.-]+)$/.exec(path)?.[1];
  if (model !== undefined && request.method === "GET" && MODEL_NAMES.includes(model)) {
    sendJson(response, 200, modelEntry(model));
    return;
  }
  if (route === undefined) throw new ProtocolError(404, `There is nothing at ${request.method} ${path}.`);
  if (request.method !== route.method) {
    response.setHeader("allow", route.method);
    throw new ProtocolError(405, `${path} takes ${route.method}.`);
  }
  const body = route.method === "POST" ? await readBody(request) : {};
  if ((await intercept?.(path, body, response)) === true) return;
  await route.answer(body, response, roots);
}

const modelEntry = (id: string) => ({ id, object: "model", created: 0, owned_by: "meshforge" });
const modelList = () => ({ object: "list", data: MODEL_NAMES.map(modelEntry) });

function sendError(response: ServerResponse, error: unknown, onError: OfflineServerOptions["onError"]): void {
  if (error instanceof ProtocolError) {
    // What is left of a body that was too large is not read.
    if (error.status === 413) response.setHeader("connection", "close");
    sendJson(response, error.status, error);
    return;
  }
  onError?.(error);
  sendJson(response, 500, new ProtocolError(500, "The server could not answer."));
}
