import { defineHandler } from "../../core/catalog/define.ts";
import safetyScrub from "./index.ts";
import { scrub } from "./scrub.ts";

export default defineHandler(safetyScrub, ({ text }) => scrub(text));
