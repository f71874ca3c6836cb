import { LIMITS } from "../limits.ts";
import type { Effect } from "../catalog/define.ts";
import type { CallView } from "./call.ts";
import type { Outcome } from "./execute.ts";
import { packed } from "./packed-output.ts";

/** Keeps texts too large for a row; content-addressed. `read` gives the UTF-8, and throws when the text is gone. */
export type TextStore = {
  write(text: string, sha256: string): Promise<void>;
  read(sha256: string): Promise<Uint8Array>;
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

/** A call of a list, with the places of its input and its output, as it is or packed, in place of the texts. */
type Placed<T> = Omit<T, "input" | "output"> & {
  readonly ord: number;
  readonly input_at?: number;
  readonly input_bytes?: number;
  readonly output_at?: number;
  readonly output_bytes?: number;
  readonly output_lz4_at?: number;
  readonly output_lz4_bytes?: number;
};

/** The texts of a call: JSON, or its UTF-8. */
type Texts = { readonly input?: string | Uint8Array | null; readonly output?: string | null };

/**
 * A list of calls as `settle_calls` and `end_calls` take it: the calls numbered, and beside them their inputs and
 * outputs, one after the other, as UTF-8 or packed, of which each call says which bytes are its own.
 */
export function placeOutputs<T extends Texts & { readonly state: string }>(
  calls: readonly T[],
): { readonly items: readonly Placed<T>[]; readonly outputs: Buffer } {
  const parts: (string | Uint8Array)[] = [];
  let end = 0;
  const place = (part: string | Uint8Array): readonly [at: number, bytes: number] => {
    const [at, bytes] = [end, typeof part === "string" ? Buffer.byteLength(part) : part.length];
    parts.push(part);
    end += bytes;
    return [at, bytes];
  };
  const items = calls.map(({ input, output, ...call }, ord) => ({
    ...call,
    ord,
    ...placeInput(input ?? null, place),
    ...placeOutput(output ?? null, place),
  }));
  return { items, outputs: joined(parts, end) };
}

type Place = (part: string | Uint8Array) => readonly [at: number, bytes: number];

function placeInput(input: string | Uint8Array | null, place: Place): Partial<Placed<Texts>> {
  if (input === null) return {};
  const [input_at, input_bytes] = place(input);
  return { input_at, input_bytes };
}

function placeOutput(output: string | null, place: Place): Partial<Placed<Texts>> {
  if (output === null) return {};
  const block = packed(output);
  const [at, bytes] = place(block ?? output);
  return block === undefined
    ? { output_at: at, output_bytes: bytes }
    : { output_lz4_at: at, output_lz4_bytes: bytes };
}

function joined(parts: readonly (string | Uint8Array)[], allBytes: number): Buffer {
  const [only] = parts;
  if (parts.length === 1 && typeof only === "object")
    return Buffer.from(only.buffer, only.byteOffset, allBytes);
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
    return call.outputRef === null
      ? call.output
      : new TextDecoder().decode(await this.#texts.read(call.outputRef));
  }

  /** The UTF-8 of an output that does not lie in a row; null for every other. */
  async large({ outputRef }: CallView): Promise<Uint8Array | null> {
    return outputRef === null ? null : await this.#texts.read(outputRef);
  }
}
