import { LIMITS } from "../limits.ts";
import type { Effect } from "../catalog/define.ts";
import type { CallView } from "./call.ts";
import type { Outcome } from "./execute.ts";
import { packed } from "./packed-output.ts";

/** Keeps texts too large for a row; content-addressed. `read` throws when the text is gone. */
export type TextStore = {
  write(text: string, sha256: string): Promise<void>;
  read(sha256: string): Promise<string>;
};

/** The columns that hold how a call ended and what it gave, and what it leaves behind. */
export type OutcomeColumns = { readonly tokens_prompt?: number; readonly tokens_completion?: number } & (
  | {
      readonly state: "succeeded";
      readonly output: string | null;
      readonly output_ref: string | null;
      readonly output_sha256: string;
      readonly effects?: readonly Effect[];
    }
  | {
      readonly state: "failed" | "expired";
      readonly error_code: string;
      readonly error_message: string;
      readonly input_fault: boolean;
    }
);

/** A call of a list, with the place of its output, as it is or packed, in place of the output itself. */
type Placed<T> = Omit<T, "output"> & {
  readonly ord: number;
  readonly output_at?: number;
  readonly output_bytes?: number;
  readonly output_lz4_at?: number;
  readonly output_lz4_bytes?: number;
};

/**
 * A list of calls as `settle_calls` and `end_calls` take it: the calls numbered, and beside them their outputs, one
 * after the other, as UTF-8 or packed, of which each call says which bytes are its own.
 */
export function placeOutputs<T extends { readonly state: string; readonly output?: string | null }>(
  calls: readonly T[],
): { readonly items: readonly Placed<T>[]; readonly outputs: Buffer } {
  const parts: (string | Uint8Array)[] = [];
  let end = 0;
  const items = calls.map(({ output, ...call }, ord) => {
    if (output === undefined || output === null) return { ...call, ord };
    const block = packed(output);
    parts.push(block ?? output);
    const [at, bytes] = [end, block?.length ?? Buffer.byteLength(output)];
    end += bytes;
    return block === undefined
      ? { ...call, ord, output_at: at, output_bytes: bytes }
      : { ...call, ord, output_lz4_at: at, output_lz4_bytes: bytes };
  });
  return { items, outputs: joined(parts, end) };
}

function joined(parts: readonly (string | Uint8Array)[], allBytes: number): Buffer {
  const all = Buffer.allocUnsafe(allBytes);
  let at = 0;
  for (const part of parts) {
    if (typeof part === "string") at += all.write(part, at);
    else {
      all.set(part, at);
      at += part.length;
    }
  }
  return all;
}

/** Outputs of calls: small ones in rows, large ones beside the artifacts, so that rows stay quick to move. */
export class OutputStore {
  readonly #texts: TextStore;

  constructor(texts: TextStore) {
    this.#texts = texts;
  }

  /** Stores what is large of an outcome, and gives the columns of its row. */
  async columns(outcome: Outcome): Promise<OutcomeColumns> {
    const tokens =
      outcome.tokens === undefined
        ? {}
        : { tokens_prompt: outcome.tokens.prompt, tokens_completion: outcome.tokens.completion };
    if (outcome.state !== "succeeded") {
      return {
        ...tokens,
        state: outcome.state,
        error_code: outcome.code,
        error_message: outcome.message,
        input_fault: outcome.inputFault,
      };
    }
    const { output, outputSha256, effects } = outcome;
    const large = output.length > LIMITS.outputInRowBytes;
    if (large) await this.#texts.write(output, outputSha256);
    return {
      ...tokens,
      ...(effects === undefined ? {} : { effects }),
      state: "succeeded",
      output: large ? null : output,
      output_ref: large ? outputSha256 : null,
      output_sha256: outputSha256,
    };
  }

  /** The output of a call as JSON text, or null where there is none. */
  async of(call: Pick<CallView, "output" | "outputRef">): Promise<string | null> {
    return call.outputRef === null ? call.output : await this.#texts.read(call.outputRef);
  }
}
