import { z } from "zod";

/** The payload of a queued job: a call waits. Nothing of the call itself travels. Checked on both ends. */
export const hint = z.strictObject({ callId: z.string().regex(/^call_[0-9a-f]{32}$/) });
export type Hint = z.infer<typeof hint>;
