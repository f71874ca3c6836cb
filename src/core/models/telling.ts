import { AppError, type ErrorCode } from "../errors.ts";
import { ModelFault, type ModelFaultKind } from "./client.ts";
import type { ModelTier } from "./models.ts";

const settingOf = (tier: ModelTier): string => `MODEL_${tier.toUpperCase()}`;

/** The error for a tier without a server. */
export function notConfigured(tier: ModelTier): AppError {
  const setting = settingOf(tier);
  return new AppError(
    "model_unavailable",
    `No server is configured for the models of the tier ${tier}. Whoever runs this service sets OPENAI_BASE_URL and ${setting}, or ${setting}_BASE_URL; npm start brings an offline server.`,
  );
}

/** What a fault means to a caller; the sentence goes on from "The model server of the tier ...". */
const MEANING: Readonly<
  Record<ModelFaultKind, readonly [ErrorCode, (fault: ModelFault, tier: ModelTier) => string]>
> = {
  aborted: ["cancelled", () => "was not waited for: the call was stopped."],
  garbled: ["upstream_failed", () => "answered with what is no answer."],
  refused: ["model_unavailable", (fault) => `refused the request${said(fault)}.`],
  unusable: [
    "model_unavailable",
    (fault, tier) =>
      `takes no request of this service${said(fault)}. Whoever runs it checks the address, the key, the quota, and the model's name in ${settingOf(tier)}.`,
  ],
  busy: ["model_unavailable", (fault) => `is overloaded${said(fault)}. Try again ${later(fault)}.`],
  slow: ["model_unavailable", () => "did not answer in time. Try again later."],
  open: ["model_unavailable", outage],
  failing: ["model_unavailable", (fault) => `is away or failing${said(fault)}. Try again ${later(fault)}.`],
};

/** What a caller is told of a fault: in our own words, for a server's may hold a key or a prompt. */
export function tell(tier: ModelTier, fault: ModelFault): AppError {
  const [code, sentence] = MEANING[fault.kind];
  return new AppError(code, `The model server of the tier ${tier} ${sentence(fault, tier)}`);
}

/** The error for a call that is refused because a tier's server is known to be dead. */
export const knownDead = (tier: ModelTier, retryAfterMs: number): AppError =>
  new AppError(
    "model_unavailable",
    `The model server of the tier ${tier} ${outage(new ModelFault("open", { retryAfterMs }))} This request was not charged.`,
    { retry_after_s: seconds(retryAfterMs) },
  );

const said = ({ status }: ModelFault): string => (status === null ? "" : ` (HTTP ${status})`);
function outage(fault: ModelFault): string {
  return `fails again and again and is not asked for a while. Try again ${later(fault)}; whoever runs this service looks at that server.`;
}

const later = ({ retryAfterMs }: ModelFault): string =>
  retryAfterMs === null ? "later" : `in ${seconds(retryAfterMs)} s`;
const seconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));
