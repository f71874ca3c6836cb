import { describe, expect, it } from "vitest";
import { loadConfig } from "../../../src/platform/config.ts";

const WHOLE = {
  S3_ENDPOINT: "https://s3.eu-west-1.amazonaws.com/",
  S3_BUCKET: "my-artifacts",
  S3_REGION: "eu-west-1",
  S3_ACCESS_KEY_ID: "key",
  S3_SECRET_ACCESS_KEY: "secret/secret",
};

describe("the settings of a bucket", () => {
  it("are not needed", () => {
    expect(loadConfig({}).s3).toBeNull();
  });

  it("name it, and the folder in it without slashes at its ends", () => {
    expect(loadConfig({ ...WHOLE, S3_PREFIX: "/mesh/forge/" }).s3).toEqual({
      endpoint: "https://s3.eu-west-1.amazonaws.com",
      bucket: "my-artifacts",
      region: "eu-west-1",
      accessKeyId: "key",
      secretAccessKey: "secret/secret",
      prefix: "mesh/forge",
    });
    expect(loadConfig(WHOLE).s3?.prefix).toBe("");
  });

  it.each(Object.keys(WHOLE))("are refused without %s, which is named", (name) => {
    expect(() => loadConfig({ ...WHOLE, [name]: "" })).toThrow(name);
    expect(() => loadConfig({ [name]: WHOLE[name as keyof typeof WHOLE] })).toThrow("in part only");
  });

  it("are refused as a folder without a bucket", () => {
    expect(() => loadConfig({ S3_PREFIX: "mesh" })).toThrow("S3_BUCKET");
  });

  it("are never shown", () => {
    expect(() => loadConfig({ ...WHOLE, S3_BUCKET: "" })).toThrow(/^(?![\s\S]*secret\/secret)/);
  });

  it.each([
    ["S3_ENDPOINT", "s3.amazonaws.com"],
    ["S3_BUCKET", "my bucket"],
    ["S3_REGION", "eu west"],
    ["S3_PREFIX", "a b"],
  ])("are refused with %s=%s", (name, value) => {
    expect(() => loadConfig({ ...WHOLE, [name]: value })).toThrow(name);
  });
});
