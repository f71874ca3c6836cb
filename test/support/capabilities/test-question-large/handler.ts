import { defineHandler } from "../../../../src/core/catalog/define.ts";
import { askForWords } from "../test-question/ask-for-words.ts";
import testQuestionLarge from "./index.ts";

export default defineHandler(testQuestionLarge, ({ text }, context) => askForWords("large", text, context));
