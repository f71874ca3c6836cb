import type { ModelTier } from "../models/models.ts";
import type { Contract, ContractSchemas } from "./contract.ts";
import type { MachineProfile, Pool } from "./define.ts";
import type { Offer } from "./offer.ts";

/** A golden vector: an input, and either what its output must hold or the code of the failure that it must end with. */
export type Vector = {
  readonly name?: string | undefined;
  readonly input: Readonly<Record<string, unknown>>;
  readonly expect?: Readonly<Record<string, unknown>> | undefined;
  readonly expect_error?: string | undefined;
};

/** What can be called, wherever it comes from: all that the doors, the settling and the workers know of it. */
export type Capability = {
  /** Unique among all; the name of its counters, and of its calls' rows. */
  readonly slug: string;
  /** Kept with every call. */
  readonly version: string;
  readonly name: string;
  readonly category: string;
  /** What it does, for a catalog: plain sentences. */
  readonly summary: string;
  /** Who answers for it: `meshforge`, or the handle of an account. */
  readonly provider: string;
  /** Whether its upstream answers; `internal` has none. */
  readonly reachable: "internal" | "unverified" | "live";
  /** When a `live` one last answered well. */
  readonly reachableAt: Date | null;
  readonly pool: Pool;
  /** The tier that it cannot do without: while its server is known to be dead, calls are refused, uncharged. */
  readonly model?: ModelTier;
  /** How long one attempt may run. */
  readonly timeoutMs: number;
  /** How long a call may take in all, with waiting. */
  readonly deadlineMs: number;
  /** The largest body, in bytes. */
  readonly maxBodyBytes: number;
  /** The longest input, in bytes of JSON, that is run in the API process where the pool is `inline`. */
  readonly inlineBytes: number;
  readonly profile: MachineProfile;
  readonly contract: Contract;
  /** From which another thread makes the contract once more; absent where it loads the folder for that. */
  readonly schemas?: ContractSchemas;
  readonly offers: readonly Offer[];
  readonly vectors: readonly Vector[];
  /** The folder that holds its handler. */
  readonly folder: string;
};
