import { describe, expect, it } from "vitest";
import { pathChecks } from "../../../src/features/market-audit-external-posture/exposed-paths.ts";
import { SENSITIVE_PATHS } from "../../../src/features/market-audit-external-posture/sensitive-paths.ts";
import type {
  ProbeAnswer,
  ProbeMiss,
} from "../../../src/features/market-audit-external-posture/probe/probe.ts";
import { answerOf } from "./pages.ts";
import { EXPOSED, HARMLESS, SECRET } from "./exposed.ts";

const NOT_FOUND = answerOf({ status: 404 });

const statusOf = (
  path: string,
  answer: ProbeAnswer | ProbeMiss,
  control: ProbeAnswer | null = NOT_FOUND,
): string => pathChecks(new Map([[path, answer]]), control).find(({ id }) => id === path)?.status ?? "";

it("has an example of each path that it looks at", () => {
  expect(SENSITIVE_PATHS.map(({ path }) => path).toSorted()).toEqual(Object.keys(EXPOSED).toSorted());
});

describe.each(SENSITIVE_PATHS.map(({ path }) => path))("%s", (path) => {
  it.each(EXPOSED[path] ?? [])("is exposed with %j, of which nothing is repeated", (html) => {
    const check = pathChecks(new Map([[path, answerOf({ html })]]), NOT_FOUND).find(({ id }) => id === path);
    expect(check).toMatchObject({ status: "fail" });
    expect(check?.severity).not.toBe("info");
    expect(JSON.stringify(check)).not.toContain(SECRET);
  });

  it.each(Object.entries(HARMLESS))("is not, where %s is served", (_what, html) => {
    expect(statusOf(path, answerOf({ html }))).toBe("pass");
  });

  it("is not, where the file of another path is served, or the right one with another status", () => {
    const others = Object.entries(EXPOSED).filter(([other]) => other !== path);
    for (const [other, [html = ""]] of others) {
      // Settings are settings, whatever the file's name: /.npmrc is a file of assignments, as .env is.
      if (path === "/.env" && ["/.npmrc", "/.aws/credentials"].includes(other)) continue;
      expect(statusOf(path, answerOf({ html })), other).toBe("pass");
    }
    const [html = ""] = EXPOSED[path] ?? [];
    for (const status of [301, 401, 403, 404])
      expect(statusOf(path, answerOf({ html, status }))).toBe("pass");
  });

  it("is not observed where every path is answered with the same, or no answer says anything", () => {
    const [html = ""] = EXPOSED[path] ?? [];
    expect(statusOf(path, answerOf({ html }), answerOf({ html }))).toBe("not_observed");
    for (const status of [429, 500, 503]) {
      expect(statusOf(path, answerOf({ html, status }))).toBe("not_observed");
    }
    expect(statusOf(path, { missed: "time", code: "ETIMEDOUT" })).toBe("not_observed");
  });

  it("is found all the same beside a page that answers every path", () => {
    const [html = ""] = EXPOSED[path] ?? [];
    expect(statusOf(path, answerOf({ html }), answerOf({ html: HARMLESS["a page"] ?? "" }))).toBe("fail");
  });
});
