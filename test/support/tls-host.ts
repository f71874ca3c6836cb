import { randomUUID } from "node:crypto";
import { createServer, type Server } from "node:https";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { TlsOptions } from "node:tls";
import { generate } from "selfsigned";

const DAY_MS = 86_400_000;
const KEY = { keyType: "ec", curve: "P-256", algorithm: "sha256" } as const;

/** A certificate authority of a test's own. */
export type Authority = { readonly cert: string; readonly key: string };

/** Makes a certificate authority. */
export async function newAuthority(): Promise<Authority> {
  const made = await generate([{ name: "commonName", value: `Authority ${randomUUID()}` }], {
    ...KEY,
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "keyUsage", keyCertSign: true, critical: true },
    ],
  });
  return { cert: made.cert, key: made.private };
}

export type Certificate = {
  readonly name: string;
  /** Signs it; signed by itself without one. */
  readonly authority?: Authority | undefined;
  /** From now; a past end makes an expired one. */
  readonly days?: number;
};

/** What a host was asked. */
export type Asked = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
};

export type TlsHost = {
  readonly port: number;
  readonly asked: readonly Asked[];
  /** Connections that were made, that are open, and the most that were open at once. */
  readonly connections: { readonly made: number; readonly open: number; readonly most: number };
  close(): Promise<void>;
};

/** Starts an HTTPS server on the loopback, with a certificate of its own. */
export async function startTlsHost(
  { name, authority, days = 90 }: Certificate,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  tls: TlsOptions = {},
): Promise<TlsHost> {
  const now = Date.now();
  const made = await generate([{ name: "commonName", value: name }], {
    ...KEY,
    notBeforeDate: new Date(now + Math.min(days - 1, -1) * DAY_MS),
    notAfterDate: new Date(now + days * DAY_MS),
    extensions: [{ name: "subjectAltName", altNames: [{ type: 2, value: name }] }],
    ...(authority === undefined ? {} : { ca: authority }),
  });
  const asked: Asked[] = [];
  const open = new Set<Socket>();
  const connections = { made: 0, open: 0, most: 0 };
  const server: Server = createServer({ key: made.private, cert: made.cert, ...tls }, (request, response) => {
    asked.push({ method: request.method ?? "", path: request.url ?? "", headers: request.headers });
    answer(request, response);
  });
  server.on("connection", (socket: Socket) => {
    open.add(socket);
    connections.made += 1;
    connections.open += 1;
    connections.most = Math.max(connections.most, connections.open);
    socket.on("close", () => {
      open.delete(socket);
      connections.open -= 1;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    connections,
    close: async () => {
      server.closeAllConnections();
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
