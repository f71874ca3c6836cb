import type { Vertical } from "./vertical.ts";
import { COMMERCE } from "./verticals/commerce.ts";
import { HEALTH } from "./verticals/health.ts";
import { HOME } from "./verticals/home.ts";
import { PERSONAL } from "./verticals/personal.ts";

/** The trades that are known. No synonym belongs to two of them. */
export const VERTICALS: readonly Vertical[] = [...HOME, ...HEALTH, ...PERSONAL, ...COMMERCE];
