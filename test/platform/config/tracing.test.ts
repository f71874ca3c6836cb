import { expect, it } from "vitest";
import { loadConfig } from "../../../src/platform/config.ts";

const ENDPOINT = "http://collector.example:4318";

it("sends no traces where no collector is named", () => {
  expect(loadConfig({}).tracing).toBeNull();
});

it("reads OpenTelemetry's own settings", () => {
  const { tracing } = loadConfig({
    OTEL_EXPORTER_OTLP_ENDPOINT: `${ENDPOINT}/`,
    OTEL_EXPORTER_OTLP_HEADERS: "api-key=a%20b, x-team = ops",
    OTEL_SERVICE_NAME: "shop",
    OTEL_TRACES_SAMPLER_ARG: "0.1",
  });
  expect(tracing).toEqual({
    endpoint: ENDPOINT,
    headers: { "api-key": "a b", "x-team": "ops" },
    serviceName: "shop",
    ratio: 0.1,
  });
});

it.each([
  { OTEL_EXPORTER_OTLP_HEADERS: "hunter2" },
  { OTEL_EXPORTER_OTLP_HEADERS: "key=%hunter2" },
  { OTEL_TRACES_SAMPLER_ARG: "2" },
  { OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318" },
])("names what is wrong in %j, and repeats no secret", (settings) => {
  const load = () => loadConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT, ...settings });
  expect(load).toThrow(Object.keys(settings)[0]);
  expect(load).not.toThrow("hunter2");
});
