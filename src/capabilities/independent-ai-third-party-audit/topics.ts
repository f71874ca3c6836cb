import { CONDUCT } from "./topics/conduct.ts";
import { PROTECTION } from "./topics/protection.ts";

/** What frameworks ask for, by a short name. */
export const TOPICS = { ...CONDUCT, ...PROTECTION };
export type TopicName = keyof typeof TOPICS;
