import type { CallLinks } from "../../core/calls/envelope.ts";
import type { KeyRing } from "../../core/secrets/key-ring.ts";
import { streamToken } from "../../core/streams/stream-urls.ts";

/** Where the calls of the marketplace, whose public address is `baseUrl`, are looked at and followed. */
export const callLinks =
  (baseUrl: string, keyRing: KeyRing) =>
  (id: string): CallLinks => ({
    pollUrl: `${baseUrl}/api/calls/${id}`,
    eventsUrl: `${baseUrl}/api/calls/${id}/events`,
    streamUrl: `${baseUrl}/api/calls/${id}/events?token=${streamToken(keyRing, id)}`,
  });
