import { defineHandler, InputFault } from "../../core/catalog/define.ts";
import type { ConsentVerdict } from "./consent/consents.ts";
import { parseTargetHost } from "./probe/target-host.ts";
import posture from "./index.ts";
import { observe } from "./observe.ts";
import { reportOf } from "./report.ts";

const WITHOUT_CONSENT: Readonly<Record<Exclude<ConsentVerdict, "valid">, string>> = {
  required: "There is no such consent of this account. Make one with POST /api/audit/consent.",
  expired: "The consent has expired. Make a new one with POST /api/audit/consent.",
  mismatch: "The consent is for another asset.",
};

/** The host's form is judged first, then the consent; only then is anything looked up or sent. */
export default defineHandler(posture, async ({ consent_id: consentId, asset }, context) => {
  const target = parseTargetHost(asset);
  if ("refused" in target)
    throw new InputFault("host_refused", `The asset is not probed: ${target.refused}.`);
  const { host } = target;
  const { accountId, signal } = context;
  const { consents, prober } = context.features;
  const verdict = await consents.verdict({ consentId, accountId, asset: host });
  if (verdict !== "valid") throw new InputFault(`consent_${verdict}`, WITHOUT_CONSENT[verdict]);
  const session = await prober.open(host, signal);
  try {
    return reportOf(host, await observe(session, host), new Date());
  } finally {
    await session.close();
  }
});
