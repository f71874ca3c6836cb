import { defineHandler } from "../../../core/catalog/define.ts";
import { pageUrl } from "./pages.ts";
import { receptionFor } from "./receptions.ts";
import { newPageSlug } from "./slug.ts";
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
