import { z } from "zod";

export const STATUSES = ["pass", "warn", "fail", "not_observed"] as const;
export const SEVERITIES = ["info", "low", "medium", "high", "critical"] as const;

export const check = z.object({
  id: z.string(),
  status: z.enum(STATUSES),
  severity: z.enum(SEVERITIES).describe("How bad it is where it is not passed; info where it is."),
  detail: z.string(),
});
export type Check = z.output<typeof check>;

export const passed = (id: string, detail: string): Check => ({
  id,
  status: "pass",
  severity: "info",
  detail,
});
export const notObserved = (id: string, detail: string): Check => ({
  id,
  status: "not_observed",
  severity: "info",
  detail,
});

const MAX_QUOTED_CHARS = 120;

/** What a host sent, as a report repeats it: short, and of visible characters alone. */
export function quoted(text: string): string {
  const visible = text.replaceAll(/[^\x20-\x7e]/g, "?");
  return visible.length > MAX_QUOTED_CHARS ? `${visible.slice(0, MAX_QUOTED_CHARS)}...` : visible;
}
