import { LIMITS } from "../limits.ts";
import type { CallView } from "./call.ts";
import type { Outcome } from "./execute.ts";

/** Keeps texts too large for a row; content-addressed. `read` throws when the text is gone. */
export type TextStore = {
  write(text: string, sha256: string): Promise<void>;
  read(sha256: string): Promise<string>;
};

/** The columns of a call's row that hold how it ended. */
export type OutcomeColumns =
  | {
      readonly state: "succeeded";
      readonly output: string | null;
      readonly output_ref: string | null;
      readonly output_sha256: string;
    }
  | {
      readonly state: "failed" | "expired";
      readonly error_code: string;
      readonly error_message: string;
      readonly input_fault: boolean;
    };

/** Outputs of calls: small ones in their rows, large ones beside the artifacts, so that rows stay quick to move. */
export class OutputStore {
  readonly #texts: TextStore;

  constructor(texts: TextStore) {
    this.#texts = texts;
  }

  /** Stores what is large of an outcome, and gives the columns of its row. */
  async columns(outcome: Outcome): Promise<OutcomeColumns> {
    if (outcome.state !== "succeeded") {
      return {
        state: outcome.state,
        error_code: outcome.code,
        error_message: outcome.message,
        input_fault: outcome.inputFault,
      };
    }
    const { output, outputSha256 } = outcome;
    const large = output.length > LIMITS.outputInRowBytes;
    if (large) await this.#texts.write(output, outputSha256);
    return {
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
