import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** How a request for an image is answered. */
export type ImageAnswer =
  /** The image in the answer itself, in base64. */
  | { readonly b64: Uint8Array }
  /** An address, at which the image is found when it is one of this server's; `at` is a path of it or a whole URL. */
  | { readonly at: string; readonly serves?: Uint8Array }
  | { readonly status: number }
  | { readonly body: string }
  | "hang";

export type ImageServer = {
  /** As the setting for the tier has it. */
  readonly baseUrl: string;
  /** The prompts of all requests for an image, in order. */
  readonly prompts: readonly string[];
  /** Paths that were fetched besides. */
  readonly fetched: readonly string[];
  /** How many requests for an image were given up by who asked. */
  aborted(): number;
  /** What is answered from now on: one answer after another, the last one for good. */
  answers(...answers: readonly ImageAnswer[]): void;
  close(): Promise<void>;
};

/** A fake of a hosted image model, over a real socket: it speaks OpenAI's protocol and gives what a test planned. */
export async function startImageServer(): Promise<ImageServer> {
  const prompts: string[] = [];
  const fetched: string[] = [];
  const files = new Map<string, Uint8Array>();
  let planned: ImageAnswer[] = [];
  let aborted = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      response.setHeader("server", "meshforge-test-images (a fake)");
      const path = request.url ?? "";
      if (path !== "/v1/images/generations") {
        fetched.push(path);
        const file = files.get(path);
        response.writeHead(file === undefined ? 404 : 200).end(file);
        return;
      }
      response.on("close", () => void (aborted += response.writableFinished ? 0 : 1));
      prompts.push((JSON.parse(Buffer.concat(chunks).toString()) as { prompt: string }).prompt);
      const [answer = { status: 500 }] = planned;
      if (planned.length > 1) planned = planned.slice(1);
      give(response, answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  function give(response: ServerResponse, answer: ImageAnswer): void {
    if (answer === "hang") return;
    if ("status" in answer) return void response.writeHead(answer.status).end("{}");
    response.setHeader("content-type", "application/json");
    if ("body" in answer) return void response.end(answer.body);
    if ("at" in answer && answer.serves !== undefined) files.set(answer.at, answer.serves);
    const image =
      "b64" in answer
        ? { b64_json: Buffer.from(answer.b64).toString("base64") }
        : { url: new URL(answer.at, origin).href };
    response.end(JSON.stringify({ created: 1, data: [image] }));
  }

  return {
    baseUrl: `${origin}/v1`,
    prompts,
    fetched,
    aborted: () => aborted,
    answers: (...answers) => void (planned = [...answers]),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
