import type { Topic } from "./topic.ts";
import { BUILDING, STARTING } from "./topics/building.ts";
import { FINDING, PAGES } from "./topics/pages.ts";
import { TRUST } from "./topics/trust.ts";

/** What there is to know about driving a browser, side by side. Written in November 2026. */
export const TOPICS: readonly Topic[] = [...PAGES, ...TRUST, ...BUILDING];

/** For questions that name nothing of it. */
export const BASICS: readonly Topic[] = [STARTING, FINDING];
