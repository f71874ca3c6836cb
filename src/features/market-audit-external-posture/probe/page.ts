import type { FastifyInstance } from "fastify";
import { PROBE_AGENT, PROBE_LIMITS } from "./probe.ts";
import type { MarketplaceServices } from "../../../http/marketplace/services.ts";

/** The page that the posture probe's user agent names: what came by, on whose word, and how to keep it away. */
export function postureProbeRoutes(app: FastifyInstance, { baseUrl }: MarketplaceServices): void {
  const { requests, totalMs } = PROBE_LIMITS;
  const text = `${PROBE_AGENT}

You probably found this address in the log of a web server. The audit service at ${baseUrl} looked at that host
because one of its accounts attested that the host is its own, or that it speaks for the owner, and consented to the
look. The consent, the account and the time are on record.

What it does: at most ${requests} requests within ${totalMs / 1_000} seconds, GET only, over HTTPS on port 443. It reads the front page's
headers, the certificate, and whether a short list of files that should not be public is. It keeps no cookies, sends
no forms, tries no passwords, executes nothing, and repeats no content in its report.

How to keep it away: put this into https://your-host/robots.txt, and it stops after having read it.

    User-agent: ${PROBE_AGENT}
    Disallow: /
`;
  app.get("/posture-probe", { schema: { hide: true } }, (_request, reply) =>
    reply.type("text/plain; charset=utf-8").send(text),
  );
}
