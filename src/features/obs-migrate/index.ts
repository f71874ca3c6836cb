import { z } from "zod";
import { defineCapability, field, mesh, usd } from "../../core/catalog/define.ts";
import { windowsFolder } from "./windows-path.ts";

/** Where media go when the caller does not say. */
export const DEFAULT_MEDIA_FOLDER = "D:/OBS_assets";
const MAX_BODY_BYTES = 8 * 1_048_576;

const NO_FOLDER = "must be a folder of Windows, such as D:\\OBS_assets";
const folder = z
  .string()
  .refine((path) => path === "" || windowsFolder(path) !== undefined, NO_FOLDER)
  .optional()
  .register(field, { trim: true });

/** Brings the scene collections and profiles of OBS Studio from macOS or Linux to Windows. */
export default defineCapability({
  slug: "obs-migrate",
  version: "1.0.0",
  name: "OBS migrate",
  category: "media",
  summary:
    "Rewrites OBS Studio's scene collections and profiles from macOS or Linux for Windows: media paths, file URLs, " +
    "captures, encoders, hotkeys. Says what it changed and what is left to do by hand; everything that it does not " +
    "understand stays byte for byte.",
  offers: [
    { surface: "marketplace", price: mesh(1) },
    { surface: "tool-api", route: { method: "POST", path: "/v1/migrate" }, price: usd("0.001") },
  ],
  pool: "inline",
  inlineBytes: 8_192,
  timeoutMs: 10_000,
  maxBodyBytes: MAX_BODY_BYTES,
  profile: { deterministic: true, typicalMs: 1, maximumMs: 1_000, sideEffects: [] },
  input: z.object({
    files: z
      .record(z.string(), z.string())
      .describe(
        "The files by name: scene collections (.json), basic.ini, streamEncoder.json, service.json ...",
      ),
    rec_path: folder.describe("Where recordings go on Windows; left as it is when absent."),
    media_path: folder.describe("The folder on Windows that gets all media; D:\\OBS_assets when absent."),
  }),
  output: z.object({
    files: z.record(z.string(), z.string()),
    changes: z.array(z.string()),
    manual_steps: z.array(z.string()).describe("What is left to do by hand, on Windows."),
  }),
});
