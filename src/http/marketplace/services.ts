import type { Authenticator } from "../../core/accounts/authenticate.ts";
import type { StarterGrants } from "../../core/accounts/accounts.ts";
import type { Calls } from "../../core/calls/calls.ts";
import type { OutputStore } from "../../core/calls/outputs.ts";
import type { Registry } from "../../core/catalog/registry.ts";
import type { Db } from "../../core/db.ts";

/** What the marketplace's routes stand on. */
export type MarketplaceServices = {
  readonly db: Db;
  readonly registry: Registry;
  readonly authenticator: Authenticator;
  readonly calls: Calls;
  readonly outputs: OutputStore;
  readonly files: ArtifactFiles;
  readonly baseUrl: string;
  readonly starter: StarterGrants;
  readonly accountsPerHour: number;
  readonly callWaitMs: number;
};

/** Stored artifacts, for reading. */
export type ArtifactFiles = {
  info(
    sha256: string,
  ): Promise<
    | { readonly sha256: string; readonly mime: string; readonly filename: string; readonly bytes: number }
    | undefined
  >;
  stream(
    sha256: string,
    range?: { readonly start: number; readonly end: number },
  ): Promise<NodeJS.ReadableStream>;
};
