import { z } from "zod";
import { defineCapability, field, mesh } from "../../core/catalog/define.ts";
import { check } from "./check.ts";
import { GRADES } from "./observatory.ts";

const MAX_CONSENT_CHARS = 80;
const MAX_ASSET_CHARS = 255;

/** Looks at a host from outside, with its owner's consent: headers, TLS, banners, exposed files. */
export default defineCapability({
  slug: "market-audit-external-posture",
  version: "1.0.0",
  name: "External posture audit",
  category: "audit",
  summary:
    "Looks at a host from outside, read-only and only with a valid consent for it: security headers graded as the MDN " +
    "HTTP Observatory does, TLS and certificate, software banners, exposed files told by their content. HTTPS on port " +
    "443 only, at most 25 requests and 10 seconds. The report says what it did not check. A host that is not public " +
    "is refused (host_refused), one that cannot be reached is host_unreachable; both are refunded.",
  offers: [{ surface: "marketplace", price: mesh(6) }],
  pool: "probe",
  timeoutMs: 15_000,
  profile: {
    deterministic: false,
    typicalMs: 2_000,
    maximumMs: 12_000,
    sideEffects: ["requests to the asset"],
  },
  input: z.object({
    consent_id: z
      .string()
      .min(1)
      .max(MAX_CONSENT_CHARS)
      .register(field, { aliases: ["consentId"] })
      .describe("What POST /api/audit/consent gave for this asset."),
    asset: z
      .string()
      .min(1)
      .max(MAX_ASSET_CHARS)
      .register(field, { aliases: ["domain", "host"] })
      .describe("The host name, exactly as the consent gives it."),
  }),
  output: z.object({
    asset: z.string(),
    observed_at: z.iso.datetime(),
    grade: z.enum(GRADES).nullable().describe("Of the headers; null where no page was seen."),
    score: z.int().min(0).nullable().describe("100 less the penalties, and the bonuses from 90 on."),
    headers: z.array(check),
    tls: z.array(check),
    banners: z.array(check),
    exposed_paths: z.array(check),
    not_checked: z.array(z.string()),
  }),
});
