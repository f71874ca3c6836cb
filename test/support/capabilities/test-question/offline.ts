import { defineOffline } from "../../../../src/core/models/offline.ts";

export default defineOffline(({ data }) => ({
  words: String(data["text"]).split(/\s+/).filter(Boolean).length,
}));
