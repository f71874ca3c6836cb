import { defineHandler } from "../../core/catalog/define.ts";
import { deliver } from "./delivery.ts";
import { forge } from "./forge.ts";
import camForge from "./index.ts";

export default defineHandler(camForge, (params, context) => deliver(params, forge(params), context));
