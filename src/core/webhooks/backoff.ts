/** The first retry; each further pause is four times the one before, up to the longest. */
const FIRST_MS = 5_000;
const FACTOR = 4;
const LONGEST_MS = 3 * 3_600_000;
/** Each pause is longer by up to this share, so that what failed together does not come back together. */
const JITTER = 0.2;
/** A delivery is not given up before it is this old ... */
const PATIENCE_MS = 24 * 3_600_000;
/** ... nor before this attempt, the first past a day of pauses: the sender itself may have been away for long. */
const ENOUGH_ATTEMPTS = 15;

/**
 * How long to wait after an attempt that failed, or null where that was the last.
 *
 * @param attempts how many there were, from 1
 * @param ageMs the time since the call ended
 * @param random from 0 to 1, for the jitter
 */
export function pauseAfter(attempts: number, ageMs: number, random: number): number | null {
  if (attempts >= ENOUGH_ATTEMPTS && ageMs >= PATIENCE_MS) return null;
  const pause = Math.min(LONGEST_MS, FIRST_MS * FACTOR ** (attempts - 1));
  return Math.round(pause * (1 + JITTER * random));
}
