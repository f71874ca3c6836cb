import { createHash } from "node:crypto";
import type { HandlerContext } from "../../../src/core/catalog/define.ts";
import { parseInput } from "../../../src/core/catalog/input.ts";
import camForge from "../../../src/features/cam-forge/index.ts";
import type { Params } from "../../../src/features/cam-forge/params.ts";
import { handlerContext } from "../../support/handler-context.ts";

/** The effective parameters of a body, or what refusing it throws. */
export const paramsOf = (body: Readonly<Record<string, unknown>> = {}): Params =>
  parseInput(camForge, body) as Params;

/** What refusing a body throws; fails when it is taken. */
export function refusalOf(body: Readonly<Record<string, unknown>>): {
  code: string;
  details: Record<string, unknown>;
} {
  try {
    paramsOf(body);
  } catch (error) {
    return error as { code: string; details: Record<string, unknown> };
  }
  throw new Error(`taken: ${JSON.stringify(body)}`);
}

export type Stored = { readonly bytes: Uint8Array; readonly mime: string; readonly filename: string };

/** A context that keeps artifacts in a map, under their hash. */
export function contextWith(stored: Map<string, Stored>): HandlerContext {
  return handlerContext({
    artifacts: {
      put: (bytes, { mime, filename }) => {
        const sha256 = createHash("sha256").update(bytes).digest("hex");
        const url = `http://artifacts.test/${sha256}`;
        stored.set(url, { bytes, mime, filename });
        return Promise.resolve({ url, sha256, bytes: bytes.length });
      },
    },
  });
}
