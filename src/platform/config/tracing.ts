import { z } from "zod";
import type { TracingSettings } from "../../adapters/tracing/otlp.ts";
import { address } from "./values.ts";

/** `name=value,...`, the values percent-encoded: the format of OpenTelemetry's settings. */
const headers = z
  .string()
  .default("")
  .transform((text, context) => {
    const pairs = text.split(",").filter((part) => part.trim() !== "");
    try {
      return Object.fromEntries(
        pairs.map((pair) => {
          const [, name, value] = /^\s*([\w-]+)\s*=\s*(\S+)\s*$/.exec(pair) ?? [];
          if (name === undefined || value === undefined) throw new Error("no pair");
          return [name, decodeURIComponent(value)];
        }),
      );
    } catch {
      // Nothing of it is repeated: it may hold a token.
      context.addIssue({ code: "custom", message: "must be name=value pairs with commas between them" });
      return z.NEVER;
    }
  });

/** Where traces are sent: the names are OpenTelemetry's. */
export const tracingSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: address.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: headers,
  OTEL_SERVICE_NAME: z.string().default("meshforge"),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number("must be a share from 0 to 1, as in 0.1")
    .min(0, "must be a share from 0 to 1, as in 0.1")
    .max(1, "must be a share from 0 to 1, as in 0.1")
    .default(1),
};

const environment = z.object(tracingSettings);

/** The collector of traces, or null where none is named. */
export function tracingConfig(env: z.output<typeof environment>): TracingSettings | null {
  if (env.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return null;
  return {
    endpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT,
    headers: env.OTEL_EXPORTER_OTLP_HEADERS,
    serviceName: env.OTEL_SERVICE_NAME,
    ratio: env.OTEL_TRACES_SAMPLER_ARG,
  };
}
