import { defineHandler } from "../../../../src/core/catalog/define.ts";
import { askForWords } from "./ask-for-words.ts";
import testQuestion from "./index.ts";

export default defineHandler(testQuestion, ({ text }, context) => askForWords("small", text, context));
