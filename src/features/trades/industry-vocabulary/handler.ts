import { defineHandler } from "../../../core/catalog/define.ts";
import industryVocabulary from "./index.ts";
import { findVertical } from "../matching.ts";
import { GENERAL } from "../vertical.ts";

export default defineHandler(industryVocabulary, ({ trade }) => {
  const found = findVertical(trade);
  const { name, terms, questions } = found ?? GENERAL;
  return {
    trade,
    matched: found !== undefined,
    vertical: name,
    terms: { ...terms },
    qualifying_questions: [...questions],
  };
});
