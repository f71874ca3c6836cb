import { defineOffline } from "../../core/models/offline.ts";
import { thinkOffline } from "../../offline/brain/think.ts";

export default defineOffline(thinkOffline);
