import { defineHandler } from "../../core/catalog/define.ts";
import posRescueSmart from "./index.ts";
import { rescuer } from "../pos-rescue/rescue.ts";

export default defineHandler(posRescueSmart, rescuer(posRescueSmart.slug, "large"));
