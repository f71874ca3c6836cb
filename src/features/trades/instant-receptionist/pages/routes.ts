import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Db } from "../../../../core/db.ts";
import { AppError } from "../../../../core/errors.ts";
import { countHit } from "../../../../core/rate-windows.ts";
import { addLead } from "../leads.ts";
import { findPage, type Page } from "../pages.ts";
import { receptionOf } from "../receptions.ts";
import { PAGE_SLUG } from "../slug.ts";
import { fieldsOf, leadOf, TRAP } from "./lead.ts";
import { type Document, receptionPage, refusalPage, thanksPage } from "./page.ts";

/** All fields at their longest, every character percent-encoded. */
const FORM_BYTES = 65_536;
const HOUR_MS = 3_600_000;
/** How many leads one address may leave at one page in an hour, and everybody at one page. */
const LEADS_PER_HOUR = { address: 10, page: 200 };
/** How many forms one address may send to one page in an hour, with those that something was wrong with. */
const FORMS_PER_HOUR = 100;
const PAGE_MAX_AGE_S = 300;

type PageRequest = FastifyRequest<{ Params: { slug: string } }>;

/** The pages that instant-receptionist makes, for the visitors of a business. Open to everybody. */
export async function receptionPages(app: FastifyInstance, { db }: { readonly db: Db }): Promise<void> {
  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string" },
    (_request, body, done) => done(null, body),
  );

  app.get("/r/:slug", { schema: { hide: true } }, async (request: PageRequest, reply) => {
    void reply.header("cache-control", `public, max-age=${PAGE_MAX_AGE_S}`);
    return await send(reply, receptionPage(await pageOf(db, request)));
  });

  app.get("/r/:slug/thanks", { schema: { hide: true } }, async (request: PageRequest, reply) =>
    send(reply, thanksPage(await pageOf(db, request))),
  );

  app.post(
    "/r/:slug",
    { bodyLimit: FORM_BYTES, schema: { hide: true } },
    async (request: PageRequest, reply) => {
      const page = await pageOf(db, request);
      if (!isFromOwnPage(request)) return await send(reply.code(403), refusalPage(page, ...ELSEWHERE));
      const refuse = async (leftMs: number): Promise<FastifyReply> => {
        void reply.code(429).header("retry-after", String(Math.ceil(leftMs / 1_000)));
        return await send(reply, refusalPage(page, ...TOO_MANY));
      };
      const tooManyForms = await tooMany(db, [
        { key: `form:${page.slug}:${request.ip}`, most: FORMS_PER_HOUR },
      ]);
      if (tooManyForms !== null) return await refuse(tooManyForms);
      const fields = fieldsOf(typeof request.body === "string" ? request.body : "");
      // Whoever fills the trap is told what everybody is told, and learns nothing.
      if ((fields.get(TRAP) ?? "") === "") {
        const read = leadOf(fields, receptionOf(page.vertical).questions);
        if ("faults" in read) {
          return await send(reply.code(400), receptionPage(page, { fields, faults: read.faults }));
        }
        const tooManyLeads = await tooMany(db, [
          { key: `lead:${page.slug}:${request.ip}`, most: LEADS_PER_HOUR.address },
          { key: `lead:${page.slug}`, most: LEADS_PER_HOUR.page },
        ]);
        if (tooManyLeads !== null) return await refuse(tooManyLeads);
        await addLead(db, page, read.lead);
      }
      return await reply.redirect(`/r/${page.slug}/thanks`, 303);
    },
  );
}

const ELSEWHERE = ["That did not work", "Please send the form from the page itself."] as const;
const TOO_MANY = [
  "One moment, please",
  "A lot was sent just now. Please try again later, or call instead.",
] as const;

async function pageOf(db: Db, request: PageRequest): Promise<Page> {
  const { slug } = request.params;
  const page = PAGE_SLUG.test(slug) ? await findPage(db, slug) : undefined;
  if (page === undefined) throw new AppError("not_found", "There is no such page.");
  return page;
}

/**
 * Browsers say where a form comes from. What says nothing is no browser that somebody lured to another page, and there
 * is no session that it could misuse.
 */
function isFromOwnPage({ headers, host }: FastifyRequest): boolean {
  if (headers.origin === undefined) return true;
  return URL.canParse(headers.origin) && new URL(headers.origin).host === host;
}

/** Counts in each window in turn. Gives how long the first one lasts that is full, or null where none is. */
async function tooMany(
  db: Db,
  windows: readonly { readonly key: string; readonly most: number }[],
): Promise<number | null> {
  for (const { key, most } of windows) {
    const { hits, leftMs } = await countHit(db, key, HOUR_MS);
    if (hits > most) return leftMs;
  }
  return null;
}

async function send(reply: FastifyReply, { markup, policy }: Document): Promise<FastifyReply> {
  return await reply
    .headers({
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy,
      // With no referrer at all the form would come from the origin `null`.
      "referrer-policy": "same-origin",
    })
    .send(markup);
}
