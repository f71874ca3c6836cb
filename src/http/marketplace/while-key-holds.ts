import type { KeyWatch } from "../../core/accounts/key-watch.ts";
import type { CallView } from "../../core/calls/call.ts";
import type { Caller } from "../../core/calls/call-request.ts";
import { madeOf } from "../../core/calls/settled-fault.ts";
import { AppError } from "../../core/errors.ts";

/**
 * Waits for a call as long as the caller's key holds; `wait` is told when it no longer does. Then throws `unauthorized`
 * with the call's id: whoever holds a key that was taken away learns nothing more of the call, which goes on.
 */
export async function whileKeyHolds<T extends { readonly call: CallView }>(
  keys: KeyWatch,
  { keyId }: Caller,
  wait: (giveUp: Promise<void>) => Promise<T>,
): Promise<T> {
  const key = keys.watch(keyId);
  try {
    const waited = await wait(key.lost);
    if (!key.isLost()) return waited;
    throw new AppError(
      "unauthorized",
      `This key was revoked or has expired while the call was waited for. ${madeOf(waited.call.id)}`,
      { call_id: waited.call.id },
    );
  } finally {
    key.stop();
  }
}
