import { defineOffline } from "../../../../src/core/models/offline.ts";

/** Counts the words of the text; the large model the letters as well. */
export default defineOffline(({ data, schema, tier }) => {
  const text = String(data["text"]);
  if (text === "fail") throw new Error("secret detail");
  const words = text.split(" ").length;
  return { words, keys: Object.keys(schema), ...(tier === "large" ? { letters: text.length } : {}) };
});
