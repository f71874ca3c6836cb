import { defineRoutes } from "../../http/marketplace/feature-routes.ts";
import { auditConsentRoutes } from "./consent/routes.ts";
import { postureProbeRoutes } from "./probe/page.ts";

export default defineRoutes({
  tags: [{ name: "audit", description: "Consent to be looked at from outside." }],
  register: (app, services) => {
    auditConsentRoutes(app, services);
    postureProbeRoutes(app, services);
  },
});
