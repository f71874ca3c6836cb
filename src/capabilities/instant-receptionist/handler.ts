import { defineHandler } from "../../core/catalog/define.ts";
import { pageUrl } from "../../core/receptionists/pages.ts";
import { receptionFor } from "../../core/receptionists/receptions.ts";
import { newPageSlug } from "../../core/receptionists/slug.ts";
import instantReceptionist from "./index.ts";

export default defineHandler(instantReceptionist, (input, context) => {
  const { reception, matched } = receptionFor(input.trade);
  const { vertical, label } = reception;
  const business = input.business || label;
  const area = input.area || null;
  const slug = newPageSlug(business, label);
  context.effect({ kind: "receptionist", data: { slug, vertical, business, area } });
  return { url: pageUrl(context.baseUrl, slug), slug, vertical, matched, business, area };
});
