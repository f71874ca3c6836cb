import { PROBE_AGENT } from "./probe/probe.ts";

/**
 * Whether a robots.txt (RFC 9309) asks this probe, by its name, to stay away from the whole host. What it says to all
 * robots is meant for crawlers: this probe comes with leave.
 */
export function staysAway(robots: string): boolean {
  let named = false;
  let inRules = false;
  for (const line of robots.split(/\r?\n/)) {
    const [field = "", ...rest] = (line.split("#")[0] ?? "").split(":");
    const value = rest.join(":").trim();
    const name = field.trim().toLowerCase();
    if (name === "user-agent") {
      if (inRules) named = false;
      inRules = false;
      named ||= value.split("/")[0]?.toLowerCase() === PROBE_AGENT.toLowerCase();
    } else if (name === "allow" || name === "disallow") {
      inRules = true;
      if (named && name === "disallow" && (value === "/" || value === "/*")) return true;
    }
  }
  return false;
}
