import type { OpenFeatureServices } from "../../core/catalog/define.ts";
import { type ConsentPort, Consents } from "./consent/consents.ts";
import { openProber } from "./probe/open.ts";
import type { Prober } from "./probe/probe.ts";

declare module "../../core/catalog/define.ts" {
  interface FeatureServices {
    readonly consents: ConsentPort;
    readonly prober: Prober;
  }
}

const open: OpenFeatureServices = ({ db, probeContactUrl }) => ({
  consents: new Consents(db),
  prober: openProber(probeContactUrl),
});
export default open;
