import type { Db } from "../db.ts";
import { AppError } from "../errors.ts";
import { fresh } from "../fresh.ts";
import type { Circuits } from "../models/circuits.ts";
import { knownDead } from "../models/telling.ts";
import type { Capability } from "./capability.ts";

const FRESH_MS = 1_000;

/** Which capabilities cannot be called for now, as of a second ago. The settling transaction checks quarantine again. */
export class Availability {
  readonly #circuits: Pick<Circuits, "closedToCallsMs">;
  readonly #inactive: () => Promise<ReadonlySet<string>>;

  constructor(db: Db, circuits: Pick<Circuits, "closedToCallsMs">) {
    this.#circuits = circuits;
    this.#inactive = fresh(FRESH_MS, async () => {
      const rows = await db.query<{ slug: string }>("select slug from capabilities where not active");
      return new Set(rows.map(({ slug }) => slug));
    });
  }

  /** Throws `quarantined`; or `model_unavailable` where the model that it cannot do without is known to be dead. */
  async check({ slug, model }: Pick<Capability, "slug" | "model">): Promise<void> {
    if ((await this.#inactive()).has(slug)) throw quarantined(slug);
    const closedMs = model === undefined ? null : await this.#circuits.closedToCallsMs(model);
    if (model !== undefined && closedMs !== null) throw knownDead(model, closedMs);
  }
}

/** The error for a capability that is quarantined. */
export const quarantined = (slug: string): AppError =>
  new AppError(
    "quarantined",
    `${slug} is quarantined: too many of its calls failed. This request was not charged.`,
  );
