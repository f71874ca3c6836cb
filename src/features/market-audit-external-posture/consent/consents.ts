import type { Db } from "../../../core/db.ts";
import { leaveEffects } from "../../../core/effects.ts";
import { newId } from "../../../core/ids.ts";

/** A consent as its giver sees it; `expires_at` is ISO 8601. */
export type Consent = {
  readonly consent_id: string;
  readonly asset: string;
  readonly expires_at: string;
};

/** What a test needs leave for: which consent it names, who tests, and what. */
export type ConsentQuestion = {
  readonly consentId: string;
  readonly accountId: string;
  /** A host name in its normal form (`normalHostName`). */
  readonly asset: string;
};

/** Whether a consent covers a test; `required` is also said of another account's. */
export type ConsentVerdict = "valid" | "required" | "expired" | "mismatch";

/** Consents to audits, as a handler sees them. */
export type ConsentPort = {
  verdict(question: ConsentQuestion): Promise<ConsentVerdict>;
};

/** Consents to audits: each binds one account to one asset, for a time by the database's clock. */
export class Consents implements ConsentPort {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Records that an account may test an asset, a host name in its normal form. */
  async give(accountId: string, asset: string): Promise<Consent> {
    const id = newId("cns");
    await leaveEffects(this.#db, accountId, [{ kind: "audit_consent", data: { id, asset } }]);
    const [given] = await this.#db.query<{ expires_at: Date }>(
      "select expires_at from audit_consents where id = $1",
      [id],
      { repeatable: true },
    );
    if (given === undefined) throw new Error(`the consent ${id} was not kept`);
    return { consent_id: id, asset, expires_at: given.expires_at.toISOString() };
  }

  async verdict({ consentId, accountId, asset }: ConsentQuestion): Promise<ConsentVerdict> {
    const [row] = await this.#db.query<{ verdict: ConsentVerdict }>(
      "select audit_consent_verdict($1, $2, $3) as verdict",
      [consentId, accountId, asset],
      { repeatable: true },
    );
    if (row === undefined) throw new Error("the verdict on a consent gave no row");
    return row.verdict;
  }
}
