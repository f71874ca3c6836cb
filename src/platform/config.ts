import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { z } from "zod";
import { memoryConfig, memorySettings, type MemoryServerSettings } from "./config/memory.ts";
import type { ModelsConfig } from "../adapters/models/config.ts";
import { modelsConfig, modelSettings } from "./config/models.ts";
import { tracingConfig, tracingSettings } from "./config/tracing.ts";
import type { TracingSettings } from "../adapters/tracing/otlp.ts";
import { s3Config, s3Settings } from "./config/s3.ts";
import { withSecretFiles } from "./config/secret-files.ts";
import { type SecretKeyConfig, secretKeySettings } from "./config/secret-key.ts";
import { address, whole } from "./config/values.ts";
import type { S3Settings } from "../adapters/artifacts/s3.ts";
import { FAIL_POINTS } from "../core/fail-point.ts";

const DEFAULT_PORT = 4000;
const DEFAULT_TOOL_API_PORT = 4001;
const DEFAULT_OPS_PORT = 4002;
const MAX_PORT = 65_535;

const port = (fallback: number) => whole(fallback, MAX_PORT);
const flag = z.enum(["0", "1", "false", "true", ""], { error: "must be 1 or 0" }).default("0").transform((text) => text === "1" || text === "true"); // prettier-ignore

const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

/** `between commit and dispatch:0.01,...`: where a process dies, and how often. For the chaos tests only. */
const failPoints = z
  .string()
  .default("")
  .transform((text, context) => {
    const points = new Map<string, number>();
    for (const part of text.split(",").filter(Boolean)) {
      const [name = "", probability = ""] = part.split(":");
      const chance = Number(probability);
      if (!FAIL_POINTS.some((point) => point === name) || !(chance >= 0 && chance <= 1)) {
        context.addIssue({ code: "custom", message: `${part} is no fail point with a probability` });
      }
      points.set(name, chance);
    }
    return points;
  });

/** Names of hosts without ports, with commas between them. */
const hostNames = z
  .string()
  .regex(/^[\w.[\]:-]+(,[\w.[\]:-]+)*$/, "must be names of hosts, with commas between them")
  .transform((text) => text.toLowerCase().split(","))
  .default([]);

const environment = z.object({
  NODE_ENV: z.string().default("development"),
  PORT: port(DEFAULT_PORT),
  TOOL_API_PORT: port(DEFAULT_TOOL_API_PORT),
  OPS_PORT: port(DEFAULT_OPS_PORT),
  HOST: z.string().default("0.0.0.0"),
  OPS_HOST: z.string().default("127.0.0.1"),
  BASE_URL: address.optional(),
  API_URL: address.optional(),
  OPS_TOKEN: z.string().min(16, "must have at least 16 characters (openssl rand -base64 32)").optional(),
  OPS_ALLOWED_HOSTS: hostNames,
  DATA_DIR: z.string().min(1, "must be the path of a directory, as in ./.data").default("./.data"),
  DATABASE_URL: z
    .url({
      protocol: /^postgres(ql)?$/,
      error:
        "must begin with postgres:// or postgresql://, as in postgres://user:password@localhost:5432/meshforge",
    })
    .optional(),
  DATABASE_CONNECTIONS: whole(8, 200, 2),
  REDIS_URL: z
    .url({
      protocol: /^rediss?$/,
      error: "must begin with redis:// or rediss://, as in redis://localhost:6379",
    })
    .optional(),
  REDIS_PREFIX: z.string().min(1, "must not be empty, as in meshforge").default("meshforge"),
  CAPABILITIES_DIR: z.string().optional(),
  PROBE_CONTACT_URL: address.optional(),
  STARTER_MESH: whole(100, 1_000_000_000),
  STARTER_USD_MICROS: whole(1_000_000, 1_000_000_000_000),
  ACCOUNTS_PER_HOUR: whole(20, 1_000_000_000),
  CALL_WAIT_MS: whole(30_000, 120_000),
  RETAIN_RESULTS_DAYS: whole(30, 36_500, 1),
  MAX_QUEUED_PER_ACCOUNT: whole(1_000, 1_000_000),
  MAX_STREAMS_PER_ACCOUNT: whole(100, 10_000),
  DRAIN_MS: whole(30_000, 600_000),
  TRUST_PROXY: flag,
  ALLOW_PRIVATE_UPSTREAMS: flag,
  LOG_LEVEL: z.enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(", ")}` }).default("warn"),
  FAIL_POINTS: failPoints,
  ...modelSettings,
  ...memorySettings,
  ...s3Settings,
  ...tracingSettings,
  ...secretKeySettings,
});

/** The names of all settings. */
export const SETTINGS: readonly string[] = Object.keys(environment.shape);

export type Config = {
  readonly production: boolean;
  readonly host: string;
  readonly port: number;
  readonly toolApiPort: number;
  readonly opsHost: string;
  readonly opsPort: number;
  readonly baseUrl: string;
  readonly apiUrl: string;
  readonly opsUrl: string;
  readonly opsToken: string | null;
  /** Further names by which the operations surface is asked for. */
  readonly opsAllowedHosts: readonly string[];
  readonly dataDir: string;
  readonly databaseUrl: string | null;
  /** How many connections a process opens for its statements; one more listens. */
  readonly databaseConnections: number;
  readonly redisUrl: string | null;
  readonly redisPrefix: string;
  readonly capabilityRoots: readonly string[];
  /** Where the owner of a host finds out what looked at it; the posture probe's user agent names it. */
  readonly probeContactUrl: string;
  /** Where artifacts lie; null for a folder of `dataDir`. */
  readonly s3: S3Settings | null;
  /** Where traces are sent; null: nowhere. */
  readonly tracing: TracingSettings | null;
  readonly starterMesh: number;
  readonly starterUsdMicros: number;
  readonly accountsPerHour: number;
  readonly callWaitMs: number;
  readonly maxQueuedPerAccount: number;
  /** Event streams that an account may hold open at once, over all processes. */
  readonly maxStreamsPerAccount: number;
  /** How long results and events are kept after the end of their call. */
  readonly retainResultsDays: number;
  readonly drainMs: number;
  readonly trustProxy: boolean;
  /** Requests that go out for callers may use plain http and go to loopback; never in production. */
  readonly allowPrivateUpstreams: boolean;
  readonly logLevel: string;
  readonly failPoints: ReadonlyMap<string, number>;
  readonly cpus: number;
  readonly models: ModelsConfig;
  /** Ranks memories by meaning; null: the own store ranks by words. */
  readonly memory: MemoryServerSettings | null;
  readonly secretKey: SecretKeyConfig;
};

/** Reads the settings from the environment; the only place that does. Throws one error that names every fault. */
export function loadConfig(env: Readonly<Record<string, string | undefined>> = process.env): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
  const { env: settings, faults } = withSecretFiles(given, Object.keys(environment.shape));
  const parsed = environment.safeParse(settings);
  if (!parsed.success) throw wrong([...faults, z.prettifyError(parsed.error)]);
  if (faults.length > 0) throw wrong(faults);
  const e = parsed.data;
  const production = e.NODE_ENV === "production";
  if (production && e.FAIL_POINTS.size > 0) throw new Error("FAIL_POINTS is not for production.");
  if (production && e.ALLOW_PRIVATE_UPSTREAMS) {
    throw new Error("ALLOW_PRIVATE_UPSTREAMS is not for production.");
  }
  if (production && e.SECRET_KEY === undefined) {
    throw new Error(
      "SECRET_KEY is required with NODE_ENV=production: 32 bytes in base64, or a file with them as SECRET_KEY_FILE.",
    );
  }
  const ownCapabilities = join(import.meta.dirname, "../features");
  const baseUrl = e.BASE_URL ?? `http://localhost:${e.PORT}`;
  return {
    production,
    host: e.HOST,
    port: e.PORT,
    toolApiPort: e.TOOL_API_PORT,
    opsHost: e.OPS_HOST,
    opsPort: e.OPS_PORT,
    baseUrl,
    apiUrl: e.API_URL ?? `http://localhost:${e.TOOL_API_PORT}`,
    opsUrl: `http://${e.OPS_HOST}:${e.OPS_PORT}`,
    opsToken: e.OPS_TOKEN ?? null,
    opsAllowedHosts: e.OPS_ALLOWED_HOSTS,
    dataDir: resolve(e.DATA_DIR),
    databaseUrl: e.DATABASE_URL ?? null,
    databaseConnections: e.DATABASE_CONNECTIONS,
    redisUrl: e.REDIS_URL ?? null,
    redisPrefix: e.REDIS_PREFIX,
    capabilityRoots: [
      ownCapabilities,
      ...(e.CAPABILITIES_DIR === undefined ? [] : [resolve(e.CAPABILITIES_DIR)]),
    ],
    probeContactUrl: e.PROBE_CONTACT_URL ?? `${baseUrl}/posture-probe`,
    s3: s3Config(e),
    tracing: tracingConfig(e),
    starterMesh: e.STARTER_MESH,
    starterUsdMicros: e.STARTER_USD_MICROS,
    accountsPerHour: e.ACCOUNTS_PER_HOUR,
    callWaitMs: e.CALL_WAIT_MS,
    retainResultsDays: e.RETAIN_RESULTS_DAYS,
    maxQueuedPerAccount: e.MAX_QUEUED_PER_ACCOUNT,
    maxStreamsPerAccount: e.MAX_STREAMS_PER_ACCOUNT,
    drainMs: e.DRAIN_MS,
    trustProxy: e.TRUST_PROXY,
    allowPrivateUpstreams: e.ALLOW_PRIVATE_UPSTREAMS,
    logLevel: e.LOG_LEVEL,
    failPoints: e.FAIL_POINTS,
    cpus: availableParallelism(),
    models: modelsConfig(e),
    memory: memoryConfig(e),
    secretKey: { current: e.SECRET_KEY ?? null, previous: e.SECRET_KEY_PREVIOUS ?? null },
  };
}

const wrong = (faults: readonly string[]): Error =>
  new Error(`These settings are wrong:\n${faults.join("\n")}`);

/** The environment as it is, for the child processes that the supervisor starts. */
export const inheritedEnvironment = (): Readonly<Record<string, string | undefined>> => process.env;
