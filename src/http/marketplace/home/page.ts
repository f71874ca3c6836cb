import { createHash } from "node:crypto";
import type { Found } from "../../../core/catalog/snapshot.ts";
import { html, Html } from "../../server/html.ts";
import { PANEL } from "./drawing.ts";
import { STYLE } from "./style.ts";
import { ABOUT, firstCall } from "./welcome.ts";

/** Of a catalog with many listings the page shows so many, the service's own first. */
const MAX_CARDS = 60;

/** The page at `/`, with the one policy under which it works: nothing is loaded, nothing runs. */
export function homePage(
  sold: readonly Found[],
  baseUrl: string,
): { readonly markup: string; readonly policy: string } {
  const hash = createHash("sha256").update(STYLE).digest("base64");
  const markup = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <meta name="description" content="${ABOUT}" />
        <title>Meshforge: capabilities for agents, paid by the call</title>
        <link rel="icon" href="data:," />
        ${new Html(`<style>${STYLE}</style>`)}
      </head>
      <body>
        <a class="skip" href="#main">Skip to the content</a>
        ${header()}
        <main id="main" tabindex="-1">${how()} ${start(baseUrl)} ${catalog(sold)}</main>
        <footer class="wrap">
          <a href="/docs">API docs</a> <a href="/openapi.json">OpenAPI</a>
          <a href="/api/capabilities">Catalog as JSON</a> <a href="/healthz">Health</a>
        </footer>
      </body>
    </html> `;
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  return { markup: markup.toString(), policy };
}

const header = (): Html => html`
  <header class="top">
    <div class="wrap">
      <div>
        <p class="name">Meshforge</p>
        <h1>Capabilities for agents, paid by the call</h1>
        <p class="lead">${ABOUT}</p>
        <p class="go">
          <a class="button" href="#start">Make a first call</a>
          <a class="button plain" href="/docs">Read the API docs</a>
        </p>
      </div>
      ${new Html(PANEL)}
    </div>
  </header>
`;

const STEPS = [
  ["Pay", "Charge, call and place in the queue are one transaction."],
  ["Run", "Workers of the capability's pool take it, fairly shared."],
  ["Get", "The result now, as events, by webhook, or when you ask."],
  ["Or your MESH back", "What fails is refunded as a new ledger entry."],
] as const;

const how = (): Html => html`
  <section class="wrap" aria-label="How a call goes">
    <ol class="steps">
      ${STEPS.map(
        ([what, words]) =>
          html`<li>
            <strong>${what}</strong>
            <span>${words}</span>
          </li>`,
      )}
    </ol>
  </section>
`;

function start(baseUrl: string): Html {
  const [account, call] = firstCall(baseUrl);
  return html`
    <section class="wrap" id="start" aria-labelledby="start-title">
      <h2 id="start-title">A first call</h2>
      <p class="soft">An account needs nothing, and starts with MESH to try things. Its key is shown once.</p>
      <div class="shell">
        <p id="first-step">1. Open an account and keep its key</p>
        <pre tabindex="0" role="region" aria-labelledby="first-step"><code>${account}</code></pre>
        <p id="second-step">2. Pay 1 MESH to clean a text</p>
        <pre tabindex="0" role="region" aria-labelledby="second-step"><code>${call}</code></pre>
      </div>
    </section>
  `;
}

function catalog(sold: readonly Found[]): Html {
  const ordered = sold.toSorted((a, b) => Number(isListed(a)) - Number(isListed(b)));
  const byCategory = Map.groupBy(ordered.slice(0, MAX_CARDS), ({ capability }) => capability.category);
  const categories = [...byCategory].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const rest = sold.length - MAX_CARDS;
  return html`
    <section class="wrap" id="capabilities" aria-labelledby="capabilities-title">
      <h2 id="capabilities-title">What there is to call</h2>
      <ul class="cards">
        ${categories.flatMap(([category, found]) => found.map((each) => card(category, each)))}
      </ul>
      ${rest > 0 ? html`<p><a href="/api/capabilities">And ${rest} more in the catalog</a></p>` : null}
    </section>
  `;
}

const isListed = ({ capability }: Found): boolean => capability.reachable !== "internal";

const card = (category: string, { capability, offer }: Found): Html => html`
  <li class="card">
    <p class="kind">${category}</p>
    <h3><a href="/api/capabilities/${offer.name}">${capability.name}</a></h3>
    <p class="price">
      <b>${offer.price.amount}</b> MESH${offer.access === "vip" ? html` <span class="vip">VIP</span>` : null}
    </p>
    <p class="what">${firstSentence(capability.summary)}</p>
    <p class="path"><code>POST /api/call/${offer.name}</code></p>
  </li>
`;

const firstSentence = (text: string): string =>
  /^.*?[.:](?=\s|$)/s.exec(text)?.[0].replace(/:$/, ".") ?? text;
