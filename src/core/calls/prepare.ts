import { canonicalJson, sha256Hex } from "../canonical.ts";
import type { Capability } from "../catalog/capability.ts";
import type { Contract } from "../catalog/contract.ts";
import type { Remarks } from "../catalog/remarks.ts";
import { AppError, invalidInput, Refusal } from "../errors.ts";

/** The input of a call as it is stored: canonical JSON. */
export type PreparedInput = {
  readonly json: string | Uint8Array;
  /** In UTF-8. */
  readonly bytes: number;
  readonly sha256: string;
  /** What the caller is told of it. */
  readonly warnings: Remarks;
  /** The same as a value, where this thread has it. */
  readonly value?: unknown;
};

/** What the body of a call says, as far as that can be told without knowing who pays. */
export type PreparedBody = {
  /** Of the whole body in canonical form, where it was asked for: tells a repeated request from another one. */
  readonly sha256: string | null;
  readonly input: PreparedInput | AppError | Refusal;
};

/** The body of a call that is not read yet. `prepare` throws only what makes it unreadable, or `overloaded`. */
export type CallBody = {
  prepare(by: PreparedBy): Promise<PreparedBody>;
};

export type PreparedBy = {
  /** Whose share of this process the work counts against. */
  readonly accountId: string;
  readonly capability: ContractOf;
  /** Whether the body's own hash is wanted. */
  readonly keyed: boolean;
};

/** A capability as far as its input goes, and where another thread finds its contract. */
export type ContractOf = Pick<Capability, "slug" | "folder" | "contract" | "schemas">;

/**
 * Brings a body into the forms in which a call is stored and compared. Throws `OutOfSteps` where the check of the contract
 * needs a thread.
 */
export function prepareBody(contract: Takes, body: unknown, keyed: boolean): PreparedBody {
  return { sha256: keyed ? sha256Hex(canonicalJson(body)) : null, input: prepareInput(contract, body) };
}

type Takes = Pick<Contract, "parse" | "remarks">;

/** A body that is read already. */
export const bodyOf = (value: unknown): CallBody => ({
  prepare: async ({ capability, keyed }) => prepareBody(capability.contract, value, keyed),
});

function prepareInput(contract: Takes, body: unknown): PreparedBody["input"] {
  try {
    const given = objectOf(body);
    const value = contract.parse(given);
    const json = canonicalJson(value);
    const warnings = contract.remarks(given, value);
    return { json, bytes: Buffer.byteLength(json), sha256: sha256Hex(json), warnings, value };
  } catch (error) {
    if (error instanceof AppError || error instanceof Refusal) return error;
    throw error;
  }
}

function objectOf(body: unknown): Readonly<Record<string, unknown>> {
  if (typeof body === "object" && body !== null && !Array.isArray(body))
    return body as Record<string, unknown>;
  throw invalidInput([{ path: "", message: "The body must be a JSON object." }]);
}

/** The input as a handler is given it. */
export const valueOf = ({ value, json }: PreparedInput): unknown =>
  value ?? JSON.parse(typeof json === "string" ? json : new TextDecoder().decode(json));
