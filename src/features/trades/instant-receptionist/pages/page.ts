import { createHash } from "node:crypto";
import { cutCodePoints } from "../../../../core/catalog/input.ts";
import type { Page } from "../pages.ts";
import { receptionOf } from "../receptions.ts";
import { html, Html } from "../../../../http/server/html.ts";
import { brandOf } from "./brand.ts";
import { formOf } from "./form.ts";
import type { Faults, Fields } from "./lead.ts";
import { styleOf } from "./style.ts";

/** A page with the one policy under which it works: nothing is loaded, nothing runs, the form goes home. */
export type Document = { readonly markup: string; readonly policy: string };

/** The reception page. With `sent` it shows a form again that had faults. */
export function receptionPage(
  page: Page,
  sent: { readonly fields: Fields; readonly faults: Faults } = { fields: new Map(), faults: new Map() },
): Document {
  const reception = receptionOf(page.vertical);
  const title = sent.faults.size > 0 ? `Please check: ${page.business}` : page.business;
  return documentOf(
    page,
    title,
    html`<main class="wrap">
      <section class="card hello" aria-label="Welcome">
        <p class="bubble">${reception.greeting}</p>
        <ol class="steps">
          <li>Answer what you can; only your name and a way to reach you are needed.</li>
          <li>
            <span><bdi>${page.business}</bdi> reads it.</span>
          </li>
          <li>You get a call or an email back.</li>
        </ol>
        ${reception.notice === undefined ? null : html`<p class="notice">${reception.notice}</p>`}
      </section>
      <section class="card" aria-labelledby="ask">
        <h2 id="ask">${reception.heading}</h2>
        ${formOf(page, reception, sent)}
      </section>
    </main>`,
  );
}

/** What a visitor sees who has sent the form. */
export function thanksPage(page: Page): Document {
  return documentOf(
    page,
    `Thank you: ${page.business}`,
    html`<main class="wrap one">
      <section class="card done">
        <div class="tick" aria-hidden="true">✓</div>
        <h2>Thank you!</h2>
        <p><bdi>${page.business}</bdi> has your message and gets back to you.</p>
        <a class="button" href="/r/${page.slug}">Back to the page</a>
      </section>
    </main>`,
  );
}

/** What a visitor sees who sent too much, or from elsewhere. */
export function refusalPage(page: Page, heading: string, words: string): Document {
  return documentOf(
    page,
    `${heading}: ${page.business}`,
    html`<main class="wrap one">
      <section class="card done">
        <h2>${heading}</h2>
        <p>${words}</p>
        <a class="button" href="/r/${page.slug}">Back to the page</a>
      </section>
    </main>`,
  );
}

function documentOf(page: Page, title: string, main: Html): Document {
  const style = styleOf(brandOf(page.business));
  const hash = createHash("sha256").update(style).digest("base64");
  const markup = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        ${new Html(`<style>${style}</style>`)}
      </head>
      <body>
        <header class="top">
          <div class="wrap">
            <div class="mark" aria-hidden="true">${initialsOf(page.business)}</div>
            <div>
              <h1><bdi>${page.business}</bdi></h1>
              ${page.area === null ? null : html`<p class="area">Serving <bdi>${page.area}</bdi></p>`}
            </div>
          </div>
        </header>
        ${main}
        <footer class="wrap">A reception page by Meshforge</footer>
      </body>
    </html> `;
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;
  return { markup: markup.toString(), policy };
}

/** The first letters of the first and the last word, at most two. */
function initialsOf(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? [];
  const first = cutCodePoints(words[0] ?? "", 1);
  const last = words.length > 1 ? cutCodePoints(words.at(-1) ?? "", 1) : "";
  return `${first}${last}`.toUpperCase();
}
