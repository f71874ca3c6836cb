import { defineHandler } from "../../core/catalog/define.ts";
import posRescue from "./index.ts";
import { rescuer } from "./rescue.ts";

export default defineHandler(posRescue, rescuer(posRescue.slug, "small"));
