import { expect, it } from "vitest";
import { bannerChecks } from "../../../src/features/market-audit-external-posture/banners.ts";
import { answerOf, pageOf, type Written } from "./pages.ts";

const checks = (written: Written, errorPage: Written = { status: 404 }) =>
  Object.fromEntries(bannerChecks(pageOf(written), answerOf(errorPage)).map((check) => [check.id, check]));

it.each([
  ["server", "Apache/2.4.41 (Ubuntu)"],
  ["server", "Microsoft-IIS/10.0"],
  ["server", "Apache/2"],
  ["x-powered-by", "PHP/8.1.2"],
  ["x-aspnet-version", "4.0.30319"],
  ["x-aspnetmvc-version", "5"],
  ["x-generator", "Drupal 10.2 (https://www.drupal.org)"],
])("warns of %s: %s", (name, value) => {
  expect(checks({ headers: { [name]: value } })[name]).toEqual({
    id: name,
    status: "warn",
    severity: "low",
    detail: `It gives a version away: ${value}`,
  });
});

it.each([
  ["server", "nginx"],
  ["server", "cloudflare"],
  ["x-powered-by", "Express"],
  ["x-generator", "Drupal (https://www.drupal.org)"],
])("passes %s: %s, which has no version", (name, value) => {
  expect(checks({ headers: { [name]: value } })[name]?.status).toBe("pass");
});

it("passes a page that says nothing", () => {
  for (const { status } of Object.values(checks({}))) expect(status).toBe("pass");
});

it("reads the generator of the page", () => {
  expect(
    checks({ html: '<meta name="generator" content="WordPress 6.4.2">' })["generator-meta"],
  ).toMatchObject({
    status: "warn",
    detail: expect.stringContaining("WordPress 6.4.2"),
  });
  expect(checks({ html: "<META content=Hugo NAME=Generator>" })["generator-meta"]?.status).toBe("pass");
});

it.each([
  "<address>Apache/2.4.41 (Ubuntu) Server at example.com Port 443</address>",
  "<center>nginx/1.25.3</center>",
  "<h3>Apache Tomcat/9.0.83</h3>",
  "<i>Powered by Jetty:// 9.4.51</i>".replace("Jetty:// ", "Jetty://"),
])("warns of an error page that says %s", (html) => {
  expect(checks({}, { status: 404, html })["error-page"]?.status).toBe("warn");
});

it("takes no page that is there for an error page", () => {
  expect(checks({}, { status: 200, html: "nginx/1.25.3" })["error-page"]?.status).toBe("not_observed");
  expect(checks({}, { status: 404, html: "<h1>Not found</h1>" })["error-page"]?.status).toBe("pass");
});

it("repeats a banner short and in visible characters", () => {
  const { detail } = checks({ headers: { server: `a/1\u001b[31m${"x".repeat(500)}` } })["server"] ?? {
    detail: "",
  };
  expect(detail).toMatch(/^[\x20-\x7e]{50,180}$/);
});

it("says nothing of a page that was not read", () => {
  for (const { status } of bannerChecks(null, null)) expect(status).toBe("not_observed");
});
