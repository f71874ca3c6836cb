import { AppError } from "../errors.ts";

/** How deep the causes of an error are told. */
const CAUSES = 3;

/** An error as logs tell it. */
export type Fault = {
  readonly type: string;
  readonly code?: string;
  /** Only where the words are known to hold nothing that a caller sent. */
  readonly message?: string;
  /** Where it was made: lines of its stack, the innermost first. */
  readonly at: readonly string[];
  readonly cause?: Fault;
};

/**
 * What logs may say of an error: its type, its code, its place. The words of an error that a handler or a library made
 * may hold anything, also an input; they are told only where this platform, the database server (whose details are cut
 * off) or the operating system wrote them, and no name of a host that was looked up is in them.
 */
export function faultOf(error: unknown, depth = CAUSES): Fault {
  if (!(error instanceof Error)) return { type: typeof error, at: [] };
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: unknown };
  return {
    type: error.name,
    ...(typeof code === "string" ? { code } : {}),
    ...(hasKnownWords(error) ? { message: error.message } : {}),
    at: (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line)).map((line) => line.trim()), // prettier-ignore
    ...(cause === undefined || depth === 0 ? {} : { cause: faultOf(cause, depth - 1) }),
  };
}

const hasKnownWords = (error: Error): boolean =>
  error instanceof AppError || "severity" in error || ("syscall" in error && !("hostname" in error));
