/** What the scrubber looks for, in the order in which an answer lists it. */
export const KINDS = ["card", "national_id", "api_key", "jwt", "private_key"] as const;
export type Kind = (typeof KINDS)[number];

/** What stands in a scrubbed text in place of a finding. */
export const MARKERS: Readonly<Record<Kind, string>> = {
  card: "[REDACTED-CARD]",
  national_id: "[REDACTED-NATIONAL-ID]",
  api_key: "[REDACTED-API-KEY]",
  jwt: "[REDACTED-JWT]",
  private_key: "[REDACTED-PRIVATE-KEY]",
};

/** A finding: UTF-16 offsets, the end exclusive. Both ends touch ASCII, so no surrogate pair is ever split. */
export type Span = { readonly start: number; readonly end: number; readonly kind: Kind };
