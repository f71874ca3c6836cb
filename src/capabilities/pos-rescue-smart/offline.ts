/** The same table; the tier makes it look at more. */
export { default } from "../pos-rescue/offline.ts";
