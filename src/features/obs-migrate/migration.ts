import type { MediaFolder } from "./media-folder.ts";
import type { Report } from "./report.ts";

/** What the migration of one file works with; media and report are shared by all files of a call. */
export type Migration = {
  /** The file's name. */
  readonly file: string;
  readonly media: MediaFolder;
  readonly report: Report;
  /** Counts a thing that is looked at. Throws `InputFault` when there are more than a call may have. */
  readonly look: () => void;
  /** The recording folder, as `windowsFolder` gives it; undefined leaves what is set. */
  readonly recordings: string | undefined;
};
