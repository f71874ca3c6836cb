import { describe, expect, it } from "vitest";
import { loadConfig } from "../../src/platform/config.ts";

const WRONG = {
  PORT: "70000",
  STARTER_MESH: "-1",
  CALL_WAIT_MS: "soon",
  DATABASE_URL: "mysql://x",
  REDIS_URL: "here",
  BASE_URL: "ftp://x",
  OPS_TOKEN: "short",
  TRUST_PROXY: "maybe",
  LOG_LEVEL: "loud",
  FAIL_POINTS: "nowhere:1",
};

describe("loadConfig", () => {
  it("needs no setting", () => {
    expect(loadConfig({})).toMatchObject({
      port: 4000,
      toolApiPort: 4001,
      opsPort: 4002,
      opsHost: "127.0.0.1",
      baseUrl: "http://localhost:4000",
      apiUrl: "http://localhost:4001",
      opsToken: null,
      databaseUrl: null,
      redisUrl: null,
      starterMesh: 100,
      starterUsdMicros: 1_000_000,
      accountsPerHour: 20,
      callWaitMs: 30_000,
      maxQueuedPerAccount: 1_000,
      drainMs: 30_000,
      trustProxy: false,
      production: false,
    });
  });

  it("takes an empty setting for one that is not there", () => {
    expect(loadConfig({ PORT: "", DATABASE_URL: "", TRUST_PROXY: "" })).toEqual(loadConfig({}));
  });

  it("derives the public addresses from the ports, and lets them be set without a slash at the end", () => {
    expect(loadConfig({ PORT: "80" }).baseUrl).toBe("http://localhost:80");
    expect(loadConfig({ BASE_URL: "https://mesh.example//" }).baseUrl).toBe("https://mesh.example");
  });

  it("takes for the probe's contact its page under the public address, or what is set", () => {
    expect(loadConfig({ BASE_URL: "https://mesh.example/" }).probeContactUrl).toBe(
      "https://mesh.example/posture-probe",
    );
    expect(loadConfig({ PROBE_CONTACT_URL: "https://help.example/probe" }).probeContactUrl).toBe(
      "https://help.example/probe",
    );
  });

  it("names all faults together", () => {
    for (const name of Object.keys(WRONG)) expect(() => loadConfig(WRONG)).toThrow(name);
  });

  it.each([
    ["DATABASE_URL", "localhost:5432", "must begin with postgres:// or postgresql://, as in postgres://"],
    ["REDIS_URL", "localhost", "must begin with redis:// or rediss://, as in redis://"],
    ["BASE_URL", "mesh.example", "must begin with http:// or https://, as in https://"],
    ["PORT", "http", "must be a whole number, in digits, as in 4000"],
    ["PORT", "70000", "must be a whole number from 0 to 65535"],
    ["TRUST_PROXY", "yes", "must be 1 or 0"],
    ["LOG_LEVEL", "loud", "must be one of fatal, error, warn"],
    ["OPS_TOKEN", "short", "must have at least 16 characters"],
    ["OTEL_TRACES_SAMPLER_ARG", "half", "must be a share from 0 to 1"],
  ])("says which form %s has when it is %s", (name, value, form) => {
    expect(() => loadConfig({ [name]: value })).toThrow(new RegExp(`${form}.*\\n.*at ${name}`, "s"));
  });

  it("never shows a setting's value, which may hold a password", () => {
    expect(() => loadConfig({ DATABASE_URL: "mysql://user:hunter2@host/db" })).toThrow(/^(?![\s\S]*hunter2)/);
  });

  it.each([["1.5"], ["1e9"], [" "], ["0x10"], ["Infinity"]])("refuses %j as a number of calls", (text) => {
    expect(() => loadConfig({ MAX_QUEUED_PER_ACCOUNT: text })).toThrow("MAX_QUEUED_PER_ACCOUNT");
  });

  it("refuses fail points in production", () => {
    const env = { NODE_ENV: "production", FAIL_POINTS: "between commit and dispatch:0.5" };
    expect(() => loadConfig(env)).toThrow("FAIL_POINTS");
    expect(
      loadConfig({ ...env, NODE_ENV: "development" }).failPoints.get("between commit and dispatch"),
    ).toBe(0.5);
  });

  it("lets requests go to private addresses when asked to, and never in production", () => {
    const env = { ALLOW_PRIVATE_UPSTREAMS: "1" };
    expect(loadConfig({}).allowPrivateUpstreams).toBe(false);
    expect(loadConfig(env).allowPrivateUpstreams).toBe(true);
    expect(() => loadConfig({ ...env, NODE_ENV: "production" })).toThrow("ALLOW_PRIVATE_UPSTREAMS");
  });

  it("looks for capabilities in its own folder first, then in CAPABILITIES_DIR", () => {
    const { capabilityRoots } = loadConfig({ CAPABILITIES_DIR: "/more" });
    expect(capabilityRoots).toHaveLength(2);
    expect(capabilityRoots[1]).toBe("/more");
  });
});
