import type { ProbeAnswer, ProbeMiss } from "./probe/probe.ts";
import { type Check, notObserved, passed } from "./check.ts";
import { SENSITIVE_PATHS, type SensitivePath } from "./sensitive-paths.ts";

/** Only a path that is served in full, or the beginning of one, is exposed. */
const SERVED: ReadonlySet<number> = new Set([200, 206]);
const TOO_MANY_REQUESTS = 429;

/** What was found at each of the sensitive paths. `control` is the answer for a path that nobody can have made. */
export function pathChecks(
  answers: ReadonlyMap<string, ProbeAnswer | ProbeMiss>,
  control: ProbeAnswer | null,
): Check[] {
  const controlText = control !== null && SERVED.has(control.status) ? textOf(control) : null;
  return SENSITIVE_PATHS.map((sensitive) => pathCheck(sensitive, answers.get(sensitive.path), controlText));
}

function pathCheck(
  { path, severity, what, holds }: SensitivePath,
  answer: ProbeAnswer | ProbeMiss | undefined,
  controlText: string | null,
): Check {
  if (answer === undefined || "missed" in answer)
    return notObserved(path, "There was no answer for this path.");
  if (answer.status === TOO_MANY_REQUESTS || answer.status >= 500) {
    return notObserved(path, `The host would not say (${answer.status}).`);
  }
  if (!SERVED.has(answer.status)) return passed(path, `It is not served (${answer.status}).`);
  if (!holds(textOf(answer))) {
    return passed(
      path,
      "Something is served here that is no such file, as by a page that answers every path.",
    );
  }
  if (controlText !== null && holds(controlText)) {
    return notObserved(path, "The host serves the same for a path that does not exist.");
  }
  return {
    id: path,
    status: "fail",
    severity,
    detail: `It serves ${what}. The content is not repeated here.`,
  };
}

/** Bytes as characters of the same numbers: a signature may be binary. */
const textOf = ({ body }: ProbeAnswer): string => Buffer.from(body).toString("latin1");
