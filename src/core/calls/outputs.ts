import { LIMITS } from "../limits.ts";
import type { Effect } from "../catalog/define.ts";
import type { CallView } from "./call.ts";
import type { Outcome } from "./execute.ts";

/** Keeps texts too large for a row; content-addressed. `read` throws when the text is gone. */
export type TextStore = {
  write(text: string, sha256: string): Promise<void>;
  read(sha256: string): Promise<string>;
};

/** The columns of a call's row that hold how it ended, and what it leaves behind. */
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

/**
 * The outputs of a list of calls as `settle_calls` and `end_calls` take them: a line for each, empty where there is none.
 * Throws for an output that holds a line break, which canonical JSON never does: the next call would get its rest.
 */
export function outputLines(
  calls: readonly { readonly state: string; readonly output?: string | null }[],
): string {
  return calls
    .map(({ output }) => {
      if (output?.includes("\n")) throw new TypeError("An output must be canonical JSON.");
      return output ?? "";
    })
    .join("\n");
}

/** Outputs of calls: small ones in their rows, large ones beside the artifacts, so that rows stay quick to move. */
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
  async of(call: CallView): Promise<string | null> {
    return call.outputRef === null ? call.output : await this.#texts.read(call.outputRef);
  }
}
