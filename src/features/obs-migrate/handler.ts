import { defineHandler } from "../../core/catalog/define.ts";
import obsMigrate, { DEFAULT_MEDIA_FOLDER } from "./index.ts";
import { migrate } from "./migrate.ts";
import { windowsFolder } from "./windows-path.ts";

export default defineHandler(obsMigrate, ({ files, rec_path, media_path }) =>
  migrate(files, {
    media: windowsFolder(media_path ?? "") ?? DEFAULT_MEDIA_FOLDER,
    recordings: windowsFolder(rec_path ?? ""),
  }),
);
