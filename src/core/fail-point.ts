/** Places where a process may die with money and work half way; chaos tests make it die there. */
export const FAIL_POINTS = [
  "between commit and dispatch",
  "between finishing and settling",
  "between ending and advancing",
  "between reading and advancing",
] as const;
export type FailPoint = (at: (typeof FAIL_POINTS)[number]) => void;
