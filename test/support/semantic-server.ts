import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A memory as the server was told of it. */
export type Told = {
  readonly id: string;
  readonly scope: { readonly account: string; readonly character: string };
  readonly content: string;
  readonly created: string;
};

type Asked = {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into requests freely
  readonly body: any;
};

export type SemanticTestServer = {
  /** For `MEMORY_URL`. */
  readonly url: string;
  /** All requests, in the order in which they came. */
  readonly asked: readonly Asked[];
  /** All memories that it was told of, by id. */
  readonly told: ReadonlyMap<string, Told>;
  /** Answers recalls so from now on; undefined: with the ids of what it was told in that scope, the oldest first. */
  onRecall(answer: ((response: ServerResponse, body: Asked["body"]) => void) | undefined): void;
  /** Refuses what it is told of, or takes it. */
  refuseToStore(refuse: boolean): void;
  close(): Promise<void>;
};

/** A fake of a semantic memory server, which says so in its `server` header. It ranks nothing. */
export async function startSemanticServer(): Promise<SemanticTestServer> {
  const asked: Asked[] = [];
  const told = new Map<string, Told>();
  let recall: ((response: ServerResponse, body: Asked["body"]) => void) | undefined;
  let refuses = false;

  const answer = (path: string, body: Asked["body"], response: ServerResponse): void => {
    if (path === "/v1/recall" && recall !== undefined) recall(response, body);
    else if (path === "/v1/recall")
      ranked([...told.values()].filter(inScope(body.scope)).map(({ id }) => id))(response);
    else if (refuses) response.writeHead(503).end();
    else {
      for (const memory of body.memories as Told[]) told.set(memory.id, memory);
      response.writeHead(204).end();
    }
  };
  const server = createServer((request, response) => {
    response.setHeader("server", "fake-semantic-memory");
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { url: path = "", headers } = request;
      const body: Asked["body"] = JSON.parse(Buffer.concat(chunks).toString());
      asked.push({ path, headers, body });
      answer(path, body, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    told,
    onRecall: (next) => (recall = next),
    refuseToStore: (refuse) => (refuses = refuse),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const inScope =
  ({ account, character }: Told["scope"]) =>
  ({ scope }: Told): boolean =>
    scope.account === account && scope.character === character;

/** Answers a recall with these ids, the best first. */
export const ranked =
  (ids: readonly string[]) =>
  (response: ServerResponse): void =>
    json(response, { results: ids.map((id, nth) => ({ id, score: 1 / (nth + 1) })) });

/** Answers with this body, as JSON. */
export function json(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}
