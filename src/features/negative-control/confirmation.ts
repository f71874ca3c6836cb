import { applyPatch, structuredPatch } from "diff";
import { changedTerms, isOnlyLayout } from "./dependence.ts";
import { parseDiff } from "./diff.ts";
import { type LineChanges, lineChanges, takesBack } from "./images.ts";

/** Whether an assertion depends on a fix, and how that was found out. */
export type Confirmation = { readonly how: string; readonly confirmed: boolean };

const TERMS_SHOWN = 5;
const NO_RUN = "No test was run.";
const BINARY = /^(?:Binary files |GIT binary patch)/m;

const unconfirmed = (how: string): Confirmation => ({ how, confirmed: false });

/** Checks the revert of a fix that is a diff, as texts: nothing is executed. */
export function confirmDiff(fix: string, revert: string, assertion: string): Confirmation {
  const files = parseDiff(fix) ?? [];
  const back = parseDiff(revert) ?? [];
  if (BINARY.test(fix)) {
    return unconfirmed("The diff changes binary files as well, which a text diff cannot take back.");
  }
  if (!takesBack(back, files)) {
    return unconfirmed(
      "Applied to what the diff leaves, the revert does not give back what was there before.",
    );
  }
  const hunks = back.reduce((sum, file) => sum + file.hunks.length, 0);
  const applied = `Applied to what the diff leaves, the revert gives back what was there before (${hunks} ${hunks === 1 ? "hunk" : "hunks"})`;
  return confirmDependence(applied, assertion, lineChanges(files));
}

/** Checks a proposed revert of a fix that is code: a diff against it, or the code without the fix. */
export function confirmCode(fix: string, revert: string, assertion: string): Confirmation {
  const reverted = revertedCode(fix, revert);
  if (reverted === undefined) {
    return unconfirmed(
      "The revert is neither a diff that applies to the code nor that code with a change: nothing could be checked.",
    );
  }
  if (reverted === fix) return unconfirmed("The proposed revert leaves the code as it is.");
  const changes = lineChanges([structuredPatch("", "", reverted, fix, "", "")]);
  const lines = changes.added.length + changes.removed.length;
  return confirmDependence(
    `The revert applies to the code and changes ${lines} of its lines`,
    assertion,
    changes,
  );
}

function confirmDependence(applied: string, assertion: string, changes: LineChanges): Confirmation {
  if (isOnlyLayout(changes)) {
    return unconfirmed(
      `${applied}, but only white space and comments differ, which no test can tell in most languages. ${NO_RUN}`,
    );
  }
  const terms = changedTerms(assertion, changes);
  if (terms.length === 0) {
    return unconfirmed(
      `${applied}, but the assertion names nothing that it changes and may hold without the fix. ${NO_RUN}`,
    );
  }
  const shown = terms
    .slice(0, TERMS_SHOWN)
    .map((term) => `\`${term}\``)
    .join(", ");
  return { how: `${applied}, and changes ${shown}, which the assertion names. ${NO_RUN}`, confirmed: true };
}

/** The code without the fix; undefined where the revert cannot be brought upon the code. */
function revertedCode(fix: string, revert: string): string | undefined {
  const files = parseDiff(revert);
  if (files === undefined) return isVersionOf(revert, fix) ? revert : undefined;
  const [file, ...others] = files;
  const reverted = file === undefined || others.length > 0 ? false : applyPatch(fix, file);
  return reverted === false ? undefined : reverted;
}

/** Whether a text is another version of the code: at least half of the code's lines stand in it. */
function isVersionOf(text: string, code: string): boolean {
  const lines = new Set(text.split("\n").map((line) => line.trim()));
  const own = code.split("\n").filter((line) => line.trim() !== "");
  return own.filter((line) => lines.has(line.trim())).length * 2 >= own.length;
}
