import type { Authenticator } from "../../core/accounts/authenticate.ts";
import type { StarterGrants } from "../../core/accounts/accounts.ts";
import type { Calls } from "../../core/calls/calls.ts";
import type { Estimates } from "../../core/calls/estimates.ts";
import type { OutputStore } from "../../core/calls/outputs.ts";
import type { Catalog } from "../../core/catalog/catalog.ts";
import type { CatalogStats } from "../../core/catalog/stats.ts";
import type { Db } from "../../core/db.ts";
import type { KeyRing } from "../../core/secrets/key-ring.ts";
import type { Bodies } from "../server/bodies.ts";
import type { Streaming } from "../server/follow.ts";
import type { FeatureRoutes } from "./feature-routes.ts";

/** What the marketplace's routes stand on. */
export type MarketplaceServices = {
  readonly db: Db;
  readonly catalog: Catalog;
  readonly stats: CatalogStats;
  readonly featureRoutes: readonly FeatureRoutes[];
  readonly authenticator: Authenticator;
  readonly calls: Calls;
  readonly estimates: Estimates;
  readonly bodies: Bodies;
  readonly outputs: OutputStore;
  readonly keyRing: KeyRing;
  readonly streaming: Streaming;
  readonly files: ArtifactFiles;
  readonly baseUrl: string;
  readonly starter: StarterGrants;
  readonly accountsPerHour: number;
  readonly callWaitMs: number;
  readonly maxStreamsPerAccount: number;
};

/** What is known of a stored artifact. */
export type StoredFile = {
  readonly sha256: string;
  readonly mime: string;
  readonly filename: string;
  readonly bytes: number;
};

/** Stored artifacts, for reading. `check` and `stream` reject when the bytes are not there. */
export type ArtifactFiles = {
  info(sha256: string, filename: string): Promise<StoredFile | undefined>;
  check(file: StoredFile): Promise<void>;
  stream(
    file: StoredFile,
    range?: { readonly start: number; readonly end: number },
  ): Promise<NodeJS.ReadableStream>;
};
