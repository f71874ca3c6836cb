import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { html } from "../../../../../src/http/server/html.ts";
import {
  brandOf,
  contrast,
  GROUND,
} from "../../../../../src/features/trades/instant-receptionist/pages/brand.ts";
import { fieldsOf, leadOf } from "../../../../../src/features/trades/instant-receptionist/pages/lead.ts";
import {
  type Document,
  receptionPage,
  thanksPage,
} from "../../../../../src/features/trades/instant-receptionist/pages/page.ts";
import { receptionOf } from "../../../../../src/features/trades/instant-receptionist/receptions.ts";

/** What breaks out of markup where it is not escaped, after the Big List of Naughty Strings and XSS cheat sheets. */
const HOSTILE = [
  "<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "'><svg/onload=alert(1)>", "</title><script>alert(1)</script>",
  "</style><script>alert(1)</script>", "</textarea><script>alert(1)</script>", "javascript:alert(1)", '" autofocus onfocus="alert(1)',
  "<!--", "-->", "]]>", "<![CDATA[", "&lt;script&gt;", "&#60;b&#62;", "${7*7}", "{{7*7}}", "<%= 7*7 %>", "\u0000<b>", "\u202eevil",
  "<a href='javascript:alert(1)'>x", "<math><mi//xlink:href='data:x'>", "`><b>`", "\ufeff<b>", "＜script＞", "%3Cscript%3E", "\\x3cscript\\x3e",
  "<iframe srcdoc='<script>alert(1)</script>'>", "<base href=//evil>", "<meta http-equiv=refresh content=0>", "$&$1$`$'",
]; // prettier-ignore

const hostile = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.array(fc.constantFrom("<", ">", '"', "'", "&", "/", "=", "!", "-", "a", " ", "`"), { maxLength: 30 }).map((parts) => parts.join("")),
); // prettier-ignore

const page = (business: string, area: string | null = null) => ({
  slug: "a-page-x7k2m9p4qd",
  vertical: "dental",
  business,
  area,
  owner: "bright-team",
  accountId: "acc_1",
});
const tagsOf = ({ markup }: Document): string[] =>
  [...markup.matchAll(/<\/?[a-z][^\s>]*|<!/gi)].map(([tag]) => tag);

function sent(text: string): Document {
  const fields = fieldsOf(
    new URLSearchParams({ name: text, message: text, q0: text, email: "no" }).toString(),
  );
  const read = leadOf(fields, receptionOf("dental").questions);
  return receptionPage(page("B"), { fields, faults: "faults" in read ? read.faults : new Map() });
}

describe("a page", () => {
  it("has the same tags whatever the business and its area are called", () => {
    const usual = tagsOf(receptionPage(page("B", "A")));
    fc.assert(
      fc.property(hostile, hostile, (business, area) => {
        expect(tagsOf(receptionPage(page(business, area)))).toEqual(usual);
        expect(tagsOf(thanksPage(page(business, area)))).toEqual(tagsOf(thanksPage(page("B", "A"))));
      }),
      { numRuns: 300 },
    );
  });

  it("has the same tags whatever is sent and shown again", () => {
    const usual = tagsOf(sent("x"));
    fc.assert(
      fc.property(hostile, (text) => {
        fc.pre(text.trim() !== "" && text.replace(/\p{Cc}/gu, "").trim() !== "");
        expect(tagsOf(sent(text))).toEqual(usual);
      }),
      { numRuns: 300 },
    );
  });

  it("is allowed exactly the style that it has", () => {
    for (const business of ["Bright Smile Dental", ...HOSTILE]) {
      const { markup, policy } = receptionPage(page(business));
      const style = /<style>([\s\S]*?)<\/style>/.exec(markup)?.[1] ?? "";
      expect(policy).toContain(`'sha256-${createHash("sha256").update(style).digest("base64")}'`);
    }
  });
});

describe("a form", () => {
  it("gives, whatever is sent, faults or a lead that can be stored and is no longer than it may be", () => {
    const field = fc.constantFrom("name", "phone", "email", "message", "q0", "q1", "homepage", "other");
    const value = fc.oneof(
      hostile,
      fc.constantFrom("555 0100", "a@b", "%00", "%ff%fe", "%ud800", "x".repeat(3_000)),
    );
    const pairs = fc.array(fc.tuple(field, value), { maxLength: 8 });
    const body = fc.oneof(
      pairs.map((some) =>
        some.map(([key, text]) => `${key}=${encodeURIComponent(text.toWellFormed())}`).join("&"),
      ),
      pairs.map((some) => some.map((pair) => pair.join("=")).join("&")),
    );
    fc.assert(
      fc.property(body, (text) => {
        const read = leadOf(fieldsOf(text), receptionOf("dental").questions);
        if ("faults" in read) {
          expect(read.faults.size).toBeGreaterThan(0);
          return;
        }
        const { lead } = read;
        const texts = [
          lead.name,
          lead.phone,
          lead.email,
          lead.message,
          ...lead.answers.map(({ answer }) => answer),
        ];
        for (const each of texts.filter((some) => some !== null)) {
          expect(each.isWellFormed() && !each.includes("\0") && each.length <= 2_000 && each !== "").toBe(
            true,
          );
        }
        expect(lead.phone ?? lead.email).not.toBeNull();
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("markup", () => {
  it("escapes texts, and puts markup and lists of it in as they are", () => {
    const items = ["<", "b"].map((item) => html`<li>${item}</li>`);
    const list = html`<ul title="${"\"'&"}">
      ${items}${null}${7}
    </ul>`.toString();
    expect(list.replace(/\n\s*/g, "")).toBe('<ul title="&quot;&#39;&amp;"><li>&lt;</li><li>b</li>7</ul>');
  });
});

describe("the colours of a name", () => {
  it("can be read on every ground on which they stand", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), (name) => {
        const { solid, bright } = brandOf(name);
        expect(`${solid}${bright}`).toMatch(/^(?:#[0-9a-f]{6}){2}$/);
        for (const ground of [GROUND.page, GROUND.card])
          expect(contrast(solid, ground)).toBeGreaterThanOrEqual(4.5);
        for (const ground of [GROUND.darkPage, GROUND.darkCard]) {
          expect(contrast(bright, ground)).toBeGreaterThanOrEqual(4.5);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it("are the same for the same name and differ between names", () => {
    expect(brandOf("Bright Smile Dental")).toEqual(brandOf("BRIGHT SMILE DENTAL"));
    const colours = new Set(Array.from({ length: 100 }, (_, n) => brandOf(`business ${n}`).solid));
    expect(colours.size).toBeGreaterThan(60);
  });

  it("has the contrasts of the standard", () => {
    expect(contrast("#000000", "#ffffff")).toBeCloseTo(21, 5);
    expect(contrast("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
  });
});
