import { CONDUCT } from "./topics/conduct.ts";
import { LANGUAGE_MODELS } from "./topics/language-models.ts";
import { PRIVACY } from "./topics/privacy.ts";
import { PROTECTION } from "./topics/protection.ts";

/** What frameworks ask for, by a short name. */
export const TOPICS = { ...CONDUCT, ...PROTECTION, ...PRIVACY, ...LANGUAGE_MODELS };
export type TopicName = keyof typeof TOPICS;
