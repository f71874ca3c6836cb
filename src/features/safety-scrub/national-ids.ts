import { AFRICA_AND_OCEANIA } from "./national-ids/africa-and-oceania.ts";
import { AMERICAS } from "./national-ids/americas.ts";
import { ASIA } from "./national-ids/asia.ts";
import { EUROPE } from "./national-ids/europe.ts";
import type { NumberScheme } from "./numbers.ts";

/**
 * The national identity numbers that the scrubber knows. A scheme whose check every tenth number would pass goes by
 * its usual grouping or by a label before it, so that order numbers and phone numbers stay.
 */
export const NATIONAL_IDS: readonly NumberScheme[] = [...EUROPE, ...AMERICAS, ...ASIA, ...AFRICA_AND_OCEANIA];
