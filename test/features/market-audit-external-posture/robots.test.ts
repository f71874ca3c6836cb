import { expect, it } from "vitest";
import { staysAway } from "../../../src/features/market-audit-external-posture/robots.ts";

it.each([
  "User-agent: Meshforge-Posture-Probe\nDisallow: /",
  "user-agent:meshforge-posture-probe\r\ndisallow:/*\r\n",
  "User-agent: *\nDisallow:\n\nUser-agent: Meshforge-Posture-Probe/1.0\nDisallow: / # please",
  "User-agent: Meshforge-Posture-Probe\nUser-agent: other\nCrawl-delay: 5\nDisallow: /",
  "User-agent: Meshforge-Posture-Probe\nDisallow: /private\nDisallow: /",
])("stays away on %j", (robots) => {
  expect(staysAway(robots)).toBe(true);
});

it.each([
  "",
  "User-agent: *\nDisallow: /",
  "User-agent: Meshforge-Posture-Probe\nDisallow:",
  "User-agent: Meshforge-Posture-Probe\nDisallow: /private",
  "User-agent: Meshforge-Posture-Probe\nAllow: /\n\nUser-agent: other\nDisallow: /",
  "# User-agent: Meshforge-Posture-Probe\nDisallow: /",
  "<html>User-agent: Meshforge-Posture-Probe</html>\nDisallow: /",
])("goes on after %j", (robots) => {
  expect(staysAway(robots)).toBe(false);
});
