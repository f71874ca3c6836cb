/** Loaded into a process with `--import`: changes its limits before it starts, as `withLimits` says. */
import { changeLimits, type ChangedLimits } from "./limits.ts";

changeLimits(JSON.parse(process.env["TEST_LIMITS"] ?? "{}") as ChangedLimits);
