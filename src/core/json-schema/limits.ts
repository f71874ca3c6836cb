/** What a schema that comes from outside may be, and what checking a value against it may take. */
export const SCHEMA_LIMITS = {
  /** As JSON, in UTF-8. */
  bytes: 65_536,
  /** Nesting; the outermost object counts as 1. */
  depth: 32,
  /** Objects and lists in it. */
  nodes: 2_000,
  /** How many of its schemas may look at one and the same value, by references and by `allOf` and its like. */
  visits: 200,
  /** What `uniqueItems` may compare. */
  uniqueItems: 1_000,
  /** Of all its patterns together: the characters of each times its largest repeat, about the size of its program. */
  patternSize: 50_000,
  /** Nesting of a value. */
  valueDepth: 64,
  /** What a check may take on an event loop. A step is a keyword at a value: some microseconds at most. */
  steps: 2_000,
  /** What it may take in a thread, for each part of the value. */
  stepsPerValue: 50,
  faultsShown: 5,
} as const;
