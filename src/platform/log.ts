import { type Logger, pino } from "pino";
import type { CallEnd } from "../core/observe/call-end.ts";
import { faultOf } from "../core/observe/fault.ts";
import type { Config } from "./config.ts";

/** What could be a secret, or what a caller sent, under these names. */
const REDACTED = ["authorization", "req.headers", "apiKey", "api_key", "input", "output", "body"];

/** Logs to stderr as JSON lines. Errors are told without words that could hold what a caller sent. */
export const createLog = ({ logLevel }: Pick<Config, "logLevel">, name: string): Logger =>
  pino(
    { level: logLevel, name, redact: REDACTED, serializers: { err: (error: unknown) => faultOf(error) } },
    pino.destination(2),
  );

/** The one line that each call leaves in the logs, when it has ended. */
export function logCallEnd(log: Logger, { waitMs, runMs, ...end }: CallEnd): void {
  log.info({ ...end, waitMs: rounded(waitMs), durationMs: rounded(runMs) }, "call");
}

const rounded = (ms: number | null): number | null => (ms === null ? null : Math.round(ms));
