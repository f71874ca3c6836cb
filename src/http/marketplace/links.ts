import type { CallLinks } from "../../core/calls/envelope.ts";

/** Where the calls of the marketplace, whose public address is `baseUrl`, are looked at and followed. */
export const callLinks =
  (baseUrl: string) =>
  (id: string): CallLinks => ({
    pollUrl: `${baseUrl}/api/calls/${id}`,
    eventsUrl: `${baseUrl}/api/calls/${id}/events`,
  });
