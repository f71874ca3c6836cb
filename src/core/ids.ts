import { v7 } from "uuid";

export type IdPrefix = "acc" | "key" | "call" | "cns" | "lead" | "mem" | "stm";

/** A typed identifier that sorts by its time of making: prefix, `_`, UUIDv7 (RFC 9562) in 32 hex digits. */
export const newId = (prefix: IdPrefix): string => `${prefix}_${v7().replaceAll("-", "")}`;
