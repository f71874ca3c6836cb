import { defineHandler } from "../../core/catalog/define.ts";
import { ask } from "../../core/models/ask.ts";
import { loadPrompt } from "../../core/models/prompt.ts";
import { frameworksFor } from "./frameworks.ts";
import audit from "./index.ts";
import { limitationsOf, numbered, reportFor, soberVerdict } from "./report.ts";

const prompt = loadPrompt(import.meta.dirname);

export default defineHandler(audit, async ({ scope, frameworks: wanted = [], constraints = "" }, context) => {
  const frameworks = frameworksFor(scope, wanted);
  const { answer, model } = await ask(context, {
    tier: "small",
    task: "independent-ai-third-party-audit",
    prompt,
    data: { scope, frameworks, ...(constraints === "" ? {} : { constraints }) },
    schema: reportFor(frameworks),
  });
  return {
    scope,
    frameworks,
    findings: numbered(answer.findings),
    verdict: soberVerdict(answer),
    limitations: limitationsOf(answer.limitations, { model, inferred: wanted.length === 0, constraints }),
    model,
  };
});
