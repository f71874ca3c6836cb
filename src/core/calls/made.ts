import type { CallView } from "./call.ts";

/** A call that was settled, as it is known now or by its id, and whether it was there before. */
export type Made =
  | { readonly call: CallView; readonly replayed: boolean }
  | { readonly callId: string; readonly replayed: boolean };
