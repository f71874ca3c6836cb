import { defineCapability } from "../../../../src/core/catalog/define.ts";
import testQuestion from "../test-question/index.ts";

/** Asks a model of the tier large. */
export default defineCapability({
  ...testQuestion,
  slug: "test-question-large",
  name: "Test question large",
  pool: "brain-large",
  model: "large",
});
