import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { until } from "./until.ts";

/** A request as it came in. */
export type Received = {
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
};

export type WebhookReceiver = {
  /** Its address, on loopback; the path is the test's own. */
  readonly url: string;
  /** All requests to a path, in the order in which they came. */
  on(path: string): readonly Received[];
  /** Answers the requests to a path one after another so, and all further ones with 204. */
  answers(path: string, ...answers: readonly ((response: ServerResponse) => void)[]): void;
  /** The first `count` requests to a path, as soon as they are there. */
  take(path: string, count: number): Promise<readonly Received[]>;
  close(): Promise<void>;
};

/** An HTTP server that keeps what is posted to it. */
export async function startReceiver(): Promise<WebhookReceiver> {
  const received: Received[] = [];
  const planned = new Map<string, ((response: ServerResponse) => void)[]>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url: path = "", headers } = request;
      received.push({ at: performance.now(), method, path, headers, text: Buffer.concat(chunks).toString() });
      const answer = planned.get(path)?.shift() ?? ((to) => to.writeHead(204).end());
      answer(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const on = (path: string): readonly Received[] => received.filter((one) => one.path === path);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    on,
    answers: (path, ...answers) => void planned.set(path, [...answers]),
    take: (path, count) => until(() => on(path).length >= count && on(path).slice(0, count)),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Answers with this status. */
export const status =
  (code: number, headers: Readonly<Record<string, string>> = {}) =>
  (response: ServerResponse): void =>
    void response.writeHead(code, headers).end();

/** The message in a request, when a secret has signed it; throws otherwise. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests look into messages freely
export function verified(secret: string, { text, headers }: Received): any {
  return new Webhook(secret).verify(text, headers as Record<string, string>);
}
