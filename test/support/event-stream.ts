import type { Answer, TestPlatform } from "./platform.ts";

export type StreamedEvent = { readonly id: number; readonly type: string; readonly data: Answer["body"] };

/** An open event stream, read as it comes. */
type OpenStream = {
  readonly status: number;
  readonly headers: Headers;
  /** The next event; undefined when the stream has ended. */
  next(): Promise<StreamedEvent | undefined>;
  /** All that is still to come. */
  rest(): Promise<StreamedEvent[]>;
  /** Everything that is no event, such as comments and `retry`. */
  readonly asides: string[];
  /** Cuts the connection. */
  kill(): void;
};

/** Follows a call's events over plain HTTP. */
export async function follow(
  platform: TestPlatform,
  key: string,
  callId: string,
  { lastEventId, query = "" }: { readonly lastEventId?: string | number; readonly query?: string } = {},
): Promise<OpenStream> {
  const cut = new AbortController();
  const response = await fetch(`${platform.baseUrl}/api/calls/${callId}/events${query}`, {
    signal: cut.signal,
    headers: {
      authorization: `Bearer ${key}`,
      accept: "text/event-stream",
      ...(lastEventId === undefined ? {} : { "last-event-id": String(lastEventId) }),
    },
  });
  if (response.status !== 200 && response.status !== 204) {
    throw new Error(`the events were answered with ${response.status}: ${await response.text()}`);
  }
  const asides: string[] = [];
  // Read from now on: fetch cancels a body that nobody reads when its response is collected as garbage.
  const blocks = blocksOf(response.body?.pipeThrough(new TextDecoderStream()));
  const next = async (): Promise<StreamedEvent | undefined> => {
    for (;;) {
      const { value, done } = await blocks.next();
      if (done === true) return undefined;
      const event = parseBlock(value);
      if (event !== undefined) return event;
      asides.push(value);
    }
  };
  return {
    status: response.status,
    headers: response.headers,
    next,
    rest: async () => {
      const events: StreamedEvent[] = [];
      for (let event = await next(); event !== undefined; event = await next()) events.push(event);
      return events;
    },
    asides,
    kill: () => cut.abort(),
  };
}

async function* blocksOf(body: ReadableStream<string> | undefined): AsyncGenerator<string, void, undefined> {
  let text = "";
  if (body === undefined) return;
  for await (const chunk of body) {
    text += chunk;
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      yield text.slice(0, end);
      text = text.slice(end + 2);
    }
  }
}

function parseBlock(block: string): StreamedEvent | undefined {
  const fields = new Map(
    block.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]),
  );
  const data = fields.get("data");
  if (data === undefined) return undefined;
  return { id: Number(fields.get("id")), type: fields.get("event") ?? "message", data: JSON.parse(data) };
}
