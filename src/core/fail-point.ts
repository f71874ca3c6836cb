/** Places where a process may die with money and work half way; chaos tests make it die there. */
export const FAIL_POINTS = ["between commit and dispatch", "between finishing and settling"] as const;
export type FailPoint = (at: (typeof FAIL_POINTS)[number]) => void;
