import { canonicalJson, sha256Hex } from "../canonical.ts";
import type { Capability } from "../catalog/capability.ts";
import type { Checked } from "../catalog/contract.ts";
import type { Effect, Handler, HandlerContext } from "../catalog/define.ts";
import { cutCodePoints } from "../catalog/input.ts";
import { AppError, type ErrorCode, InputFault } from "../errors.ts";
import { LIMITS } from "../limits.ts";
import type { Tokens } from "../models/models.ts";

/** How a run ended. `output` is canonical JSON. The form crosses thread boundaries as it is. */
export type Outcome = (
  | {
      readonly state: "succeeded";
      readonly output: string;
      readonly outputSha256: string;
      readonly effects?: readonly Effect[];
    }
  | {
      readonly state: "failed" | "expired";
      readonly code: string;
      readonly message: string;
      readonly inputFault: boolean;
    }
) & { readonly tokens?: Tokens };

/** What the run of a capability needs of it. */
export type Runnable = Pick<Capability, "slug" | "model"> & {
  readonly contract: { readonly check: (output: unknown) => Checked | Promise<Checked> };
};

/** What a handler's context is made from: the rest is the outcome's. */
export type RunContext = Omit<HandlerContext, "capability" | "effect" | "countTokens">;

/** A clock of what is left of `ms`, which begin now; never below 0. */
export function timeLeft(ms: number): () => number {
  const endsAt = performance.now() + ms;
  return () => Math.max(0, endsAt - performance.now());
}

/** Makes an outcome of a failure that the platform itself found. */
export const failure = (code: ErrorCode, message: string): Outcome => ({
  state: code === "deadline_exceeded" ? "expired" : "failed",
  code,
  message,
  inputFault: false,
});

/**
 * Runs a handler and checks what it gives against the capability's contract. Never throws: what goes wrong is an
 * outcome. An unexpected error reaches the caller without its words (they may hold anything) and `onUnexpected` whole.
 */
export async function execute(
  capability: Runnable,
  handler: Handler,
  input: unknown,
  context: RunContext,
  onUnexpected: (error: unknown) => void,
): Promise<Outcome> {
  const effects: Effect[] = [];
  let tokens: Tokens | undefined;
  const whole: HandlerContext = {
    ...context,
    capability,
    effect: (effect) => void effects.push(effect),
    countTokens: ({ prompt, completion }) => {
      tokens = { prompt: (tokens?.prompt ?? 0) + prompt, completion: (tokens?.completion ?? 0) + completion };
    },
  };
  const outcome = await outcomeOf(capability, () => handler(input, whole), onUnexpected);
  return {
    ...outcome,
    ...(tokens === undefined ? {} : { tokens }),
    ...(effects.length === 0 || outcome.state !== "succeeded" ? {} : { effects }),
  };
}

async function outcomeOf(
  capability: Runnable,
  run: () => unknown,
  onUnexpected: (error: unknown) => void,
): Promise<Outcome> {
  try {
    return outcomeOfChecked(await capability.contract.check(await run()), onUnexpected);
  } catch (error) {
    return outcomeOfError(error, onUnexpected);
  }
}

/** The outcome of a run that gave this output: a success where it fits the capability's own schema. */
export const outcomeOfOutput = (
  { contract }: Pick<Capability, "contract">,
  result: unknown,
  onUnexpected: (error: unknown) => void,
): Outcome => outcomeOfChecked(contract.check(result), onUnexpected);

function outcomeOfChecked(checked: Checked, onUnexpected: (error: unknown) => void): Outcome {
  if ("fault" in checked) {
    onUnexpected(checked.fault);
    return failure("internal_error", "The capability gave an output that does not match its own schema.");
  }
  const output = canonicalJson(checked.output);
  if (output.length > LIMITS.outputBytes) {
    return failure("internal_error", `The output is larger than ${LIMITS.outputBytes} bytes.`);
  }
  return { state: "succeeded", output, outputSha256: sha256Hex(output) };
}

/** The outcome of a run that threw this. */
export function outcomeOfError(error: unknown, onUnexpected: (error: unknown) => void): Outcome {
  if (error instanceof InputFault) {
    return { state: "failed", code: error.code, message: storable(error.message), inputFault: true };
  }
  if (error instanceof AppError) return failure(error.code, storable(error.message));
  onUnexpected(error);
  return failure("internal_error", "The capability failed for a reason of its own.");
}

/**
 * A message as a row can hold it: a handler may quote what it was sent by others. A NUL or half of a surrogate pair
 * would make the database refuse the report, and the call would be run again instead of ended.
 */
export const storable = (message: string): string =>
  cutCodePoints(message.replaceAll("\0", "\uFFFD").toWellFormed(), LIMITS.messageChars);
