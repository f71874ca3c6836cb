type Json = Readonly<Record<string, unknown>>;

const text = (description: string, example: string): Json => ({
  description,
  schema: { type: "string" },
  example,
});
const count = (description: string, example: number): Json => ({
  description,
  schema: { type: "integer" },
  example,
});

/** The headers of answers, by their names, as the components of the document hold them. */
export const ANSWER_HEADERS = {
  "X-Request-Id": text("What logs call this request: the caller's own, or a new one.", "req-7f3a"),
  "Retry-After": count("In how many seconds to ask again.", 1),
  Location: text(
    "Where the call is looked at: `poll_url`.",
    "/api/calls/call_01a1fc83c3bb7075aa4d8731a7a2c02a",
  ),
  "Idempotent-Replayed": text("`true` where this is the first call of the `Idempotency-Key`.", "true"),
  "Preference-Applied": text("What of `Prefer` was followed.", "wait=10"),
  ETag: text("For `If-None-Match`.", '"3x1Qm0"'),
  "WWW-Authenticate": text("How to present a key.", 'Bearer realm="meshforge"'),
  Allow: text("The methods that there are.", "GET, HEAD"),
  "RateLimit-Limit": count("How many requests may be made in the window.", 20),
  "RateLimit-Remaining": count("How many of them are left.", 19),
  "RateLimit-Reset": count("In how many seconds the window ends.", 3_600),
} as const satisfies Readonly<Record<string, Json>>;

export type AnswerHeader = keyof typeof ANSWER_HEADERS;

/** Of routes that may be asked for only so often. */
export const RATE_LIMIT = ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"] as const;

/** Which headers an answer of this status has, whatever the route. */
const BY_STATUS: Readonly<Record<string, readonly AnswerHeader[]>> = {
  202: ["Location", "Retry-After"],
  401: ["WWW-Authenticate"],
  429: ["Retry-After", ...RATE_LIMIT],
  503: ["Retry-After"],
};

/** The headers of an answer as its description refers to them; `more` are the route's own. */
export function answerHeaders(status: string, more: readonly AnswerHeader[] = []): Json {
  const names = new Set<AnswerHeader>(["X-Request-Id", ...(BY_STATUS[status] ?? []), ...more]);
  return Object.fromEntries([...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
