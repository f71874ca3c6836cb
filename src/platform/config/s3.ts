import { z } from "zod";
import type { S3Settings } from "../../adapters/artifacts/s3.ts";
import { address } from "./values.ts";

/** The settings of an S3-compatible bucket for artifacts. */
export const s3Settings = {
  S3_ENDPOINT: address.optional(),
  S3_BUCKET: z
    .string()
    .regex(/^[A-Za-z0-9][\w.-]{1,254}$/, "must be the name of a bucket")
    .optional(),
  S3_REGION: z
    .string()
    .regex(/^[\w-]+$/, "must be a region such as us-east-1")
    .optional(),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  S3_PREFIX: z
    .string()
    .regex(/^[\w./-]*$/, "may hold letters, digits and . _ - /")
    .transform((path) => path.replace(/^\/+|\/+$/g, ""))
    .default(""),
};

const environment = z.object(s3Settings);
type Environment = z.output<typeof environment>;

const NEEDED = ["S3_ENDPOINT", "S3_BUCKET", "S3_REGION", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"] as const;

/** The bucket, or null where none is named. Throws an error with what is missing when it is named in part only. */
export function s3Config(env: Environment): S3Settings | null {
  const { S3_ENDPOINT: endpoint, S3_BUCKET: bucket, S3_REGION: region, S3_PREFIX: prefix } = env;
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = env;
  if (endpoint && bucket && region && accessKeyId && secretAccessKey) {
    return { endpoint, bucket, region, accessKeyId, secretAccessKey, prefix };
  }
  const missing = NEEDED.filter((name) => env[name] === undefined);
  if (missing.length === NEEDED.length && prefix === "") return null;
  throw new Error(`A bucket is named in part only: set ${missing.join(", ")} as well.`);
}
