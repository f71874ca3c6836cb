import { checkCursor, unknownCursor } from "../../../core/cursor.ts";
import type { Db } from "../../../core/db.ts";

/** A page as it is shown. */
export type Page = {
  readonly slug: string;
  readonly vertical: string;
  readonly business: string;
  readonly area: string | null;
  /** The handle of the account that gets what visitors send. */
  readonly owner: string;
  readonly accountId: string;
};

/** A page as its account sees it. */
export type OwnPage = {
  readonly id: string;
  readonly slug: string;
  readonly vertical: string;
  readonly business: string;
  readonly area: string | null;
  readonly leads: number;
  readonly created: Date;
};

/** Where a page lies. */
export const pageUrl = (baseUrl: string, slug: string): string => `${baseUrl}/r/${slug}`;

/** The page of this slug, or undefined. */
export async function findPage(db: Db, slug: string): Promise<Page | undefined> {
  const [page] = await db.query<Page>(
    `select r.slug, r.vertical, r.business, r.area, a.handle as owner, r.account_id as "accountId"
       from receptionists r join accounts a on a.id = r.account_id where r.slug = $1`,
    [slug],
  );
  return page;
}

/** A page has its id from the one call that made it. */
const pageId = (callId: string): string => callId.replace(/^call_/, "rcp_");

function callOf(id: string): string {
  if (!id.startsWith("rcp_")) throw unknownCursor();
  return id.replace(/^rcp_/, "call_");
}

/**
 * An account's pages, newest first, from before the page with the id `before`. Throws `invalid_input` for a `before` that
 * is no page of the account.
 */
export async function listPages(
  db: Db,
  accountId: string,
  page: { readonly before?: string | undefined; readonly limit: number },
): Promise<OwnPage[]> {
  const before = page.before === undefined ? null : callOf(page.before);
  if (before !== null) {
    const lookUp = "select from receptionists where call_id = $1 and account_id = $2";
    await checkCursor(db, lookUp, [before, accountId]);
  }
  const rows = await db.query<Omit<OwnPage, "id"> & { call_id: string }>(
    `select r.call_id, r.slug, r.vertical, r.business, r.area, r.created_at as created, r.leads
       from page_of_receptionists($1, $2, $3) r order by r.call_id desc`,
    [accountId, before, page.limit],
  );
  return rows.map(({ call_id, ...row }) => ({ id: pageId(call_id), ...row }));
}
