import { ModelFault } from "../../core/models/client.ts";

/**
 * A `fetch` whose answers end with a `garbled` fault after `maxBytes`, and that follows no redirect: a prompt goes to
 * the configured server only.
 */
export function limitedFetch(maxBytes: number): typeof fetch {
  return async (input, init) => {
    const { body, status, headers } = await fetch(input, { ...init, redirect: "manual" });
    return new Response(body?.pipeThrough(atMost(maxBytes)) ?? null, { status, headers });
  };
}

function atMost(maxBytes: number): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let bytes = 0;
  return new TransformStream({
    transform: (chunk, controller) => {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) controller.error(new ModelFault("garbled"));
      else controller.enqueue(chunk);
    },
  });
}
