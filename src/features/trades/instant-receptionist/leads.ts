import { unknownCursor } from "../../../core/cursor.ts";
import type { Db } from "../../../core/db.ts";
import { leaveEffects } from "../../../core/effects.ts";
import { AppError } from "../../../core/errors.ts";
import { newId } from "../../../core/ids.ts";
import type { Page } from "./pages.ts";

/** What a visitor sent. */
export type Lead = {
  readonly name: string;
  readonly phone: string | null;
  readonly email: string | null;
  readonly message: string | null;
  /** The questions as they were asked, with what was answered; unanswered ones are left out. */
  readonly answers: readonly { readonly question: string; readonly answer: string }[];
};

/** Not looked up in a list: an account may delete the last lead that it has seen and go on from there. */
const LEAD_ID = /^lead_[0-9a-f]{32}$/;

/** A lead as its account sees it. */
export type StoredLead = Lead & { readonly id: string; readonly created: Date };

/** Keeps a lead for the account of the page. */
export async function addLead(
  db: Db,
  { slug, accountId }: Pick<Page, "slug" | "accountId">,
  lead: Lead,
): Promise<void> {
  await leaveEffects(db, accountId, [
    { kind: "receptionist_lead", data: { id: newId("lead"), slug, ...lead } },
  ]);
}

/**
 * The leads of an account's page, newest first, from before `before`. Throws `not_found` for everybody else's page, and
 * `invalid_input` for a `before` that is no id of a lead.
 */
export async function listLeads(
  db: Db,
  accountId: string,
  slug: string,
  page: { readonly before?: string | undefined; readonly limit: number },
): Promise<StoredLead[]> {
  const [own] = await db.query("select from receptionists where slug = $1 and account_id = $2", [
    slug,
    accountId,
  ]);
  if (own === undefined) throw new AppError("not_found", "This account has no such page.");
  if (page.before !== undefined && !LEAD_ID.test(page.before)) throw unknownCursor();
  return await db.query<StoredLead>(
    `select id, name, phone, email, message, answers, created_at as created
       from page_of_leads($1, $2, $3) order by id desc`,
    [slug, page.before ?? null, page.limit],
  );
}

/** Deletes a lead for good. Throws `not_found` when the account has none of this id. */
export async function deleteLead(
  db: Db,
  accountId: string,
  { slug, id }: { readonly slug: string; readonly id: string },
): Promise<void> {
  const [own] = await db.query(
    `select from receptionist_leads l join receptionists r on r.slug = l.slug
      where l.id = $3 and l.slug = $2 and r.account_id = $1`,
    [accountId, slug, id],
  );
  if (own === undefined) throw new AppError("not_found", "This page of the account has no such lead.");
  await leaveEffects(db, accountId, [{ kind: "receptionist_lead_gone", data: { slug, id } }]);
}
