import type { Prober } from "./probe.ts";

/** The service's prober: of the Internet as it is. Its libraries are loaded with the first probe; most processes make none. */
export const openProber = (contactUrl: string): Prober => ({
  open: async (host, signal) => {
    const { createProber } = await import("./prober.ts");
    return await createProber(contactUrl).open(host, signal);
  },
});
