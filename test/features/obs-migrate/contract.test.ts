import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import obsMigrate from "../../../src/features/obs-migrate/index.ts";
import { parseInput } from "../../../src/core/catalog/input.ts";
import { testedCapability } from "../../support/capability.ts";
import { matches } from "../../../src/core/catalog/vectors.ts";
import { fixtures, image, migrate } from "./support.ts";

const { vectors } = await testedCapability("obs-migrate");
const MEBIBYTE = 1_048_576;
/** Of the processor's time, also where other tests share it. */
const SOON_MS = 5_000;

describe("the contract", () => {
  it.each(vectors)("holds for the golden vector: $name", async ({ input, expect: expected }) => {
    expect(matches(await migrate(input), expected)).toBe(true);
  });

  it.each([
    {},
    { files: "a" },
    { files: ["a"] },
    { files: { a: 5 } },
    { files: {}, rec_path: 5 },
    { files: {}, rec_path: "/home/me" },
    { files: {}, rec_path: "D:\\a\nKey=1" },
    { files: {}, media_path: "assets" },
    { files: {}, media_path: "D:assets" },
    { files: {}, media_path: "D:\\a?b" },
    { files: {}, media_path: "D:\\..\\Windows" },
    { files: {}, media_path: "D:\\con" },
    { files: {}, media_path: `D:\\${"x".repeat(300)}` },
  ])("refuses %j", (body) => {
    expect(() => parseInput(obsMigrate, body)).toThrow(expect.objectContaining({ code: "invalid_input" }));
  });

  it("takes empty folders for absent", async () => {
    const files = { "a.json": JSON.stringify({ sources: [image("/a/b.png")] }) };
    const answer = await migrate({ files, rec_path: " ", media_path: "" });
    expect(answer.files["a.json"]).toContain("D:/OBS_assets/b.png");
  });

  it("can be shown as JSON Schema", () => {
    expect(z.toJSONSchema(obsMigrate.input, { io: "input" })).toMatchObject({ required: ["files"] });
  });
});

/** Collections and profiles of anything, with what the migration looks for in unusual places. */
const name = fc.constantFrom("a.json", "basic.ini", "x/streamEncoder.json", "../../etc/passwd", "constructor", "toString", "C:\\a.json", ""); // prettier-ignore
const path = fc.oneof(
  fc.constantFrom("/a/logo.png", "/b/logo.png", "/b/Logo.png", "D:/OBS_assets/logo.png", "D:\\OBS_assets\\logo-2.png", "//nas/x", "/..", "/dev/video0", "file:///a/b%20c.html?q", "file:///D:/OBS_assets/logo.png", "file:///%", "default", "/a/con", "/a/\u0000"),
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.string({ maxLength: 20 }).map((text) => `/${text}`),
  fc.string({ maxLength: 20 }).map((text) => `file:///${text}`),
); // prettier-ignore
const kind = fc.constantFrom("image_source", "slideshow_v2", "vlc_source", "browser_source", "ffmpeg_source", "screen_capture", "v4l2_input", "pulse_input_capture", "sck_audio_capture", "text_ft2_source_v2", "vst_filter", "scene", "my_plugin"); // prettier-ignore
const key = fc.constantFrom("file", "local_file", "url", "css", "input", "files", "playlist", "value", "device_id", "type", "show_cursor", "capture_cursor", "items", "font", "face"); // prettier-ignore
const list = fc.array(fc.record({ value: path }), { maxLength: 3 });
const setting = fc.oneof(path, list, fc.jsonValue());
const hotkeys = fc.dictionary(fc.string({ maxLength: 3 }), fc.array(fc.record({ key: fc.constant("OBS_KEY_A"), command: fc.boolean(), control: fc.boolean() }, { requiredKeys: ["key"] }), { maxLength: 2 })); // prettier-ignore
const { source } = fc.letrec((tie) => ({
  source: fc.oneof(
    { weight: 5, arbitrary: fc.record({ name: path, id: kind, versioned_id: kind, settings: fc.dictionary(key, setting, { maxKeys: 6 }), hotkeys, filters: fc.oneof({ maxDepth: 2 }, fc.constant([]), fc.array(tie("source"), { maxLength: 2 })) }) },
    { weight: 1, arbitrary: fc.jsonValue() },
  ),
})); // prettier-ignore
const collection = fc
  .record(
    { sources: fc.array(source, { maxLength: 4 }), groups: setting, transitions: fc.array(source, { maxLength: 2 }), AuxAudioDevice1: source, modules: fc.record({ "scripts-tool": fc.array(fc.record({ path }), { maxLength: 2 }) }) },
    { requiredKeys: ["sources"] },
  )
  .map((value) => JSON.stringify(value, null, 2)); // prettier-ignore
const line = fc
  .tuple(fc.constantFrom("RecFilePath", "FilePath", "Encoder", "RecEncoder", "MonitoringDeviceId", "MonitoringDeviceName", "X"), fc.oneof(path, fc.constantFrom("ffmpeg_vaapi", "apple_hevc", '{"bindings":[{"key":"A","command":true}]}')))
  .map(([name, value]) => `${name}=${value}`); // prettier-ignore
const profile = fc
  .array(fc.oneof(fc.constantFrom("[AdvOut]", "[SimpleOutput]", "[Audio]", "[Hotkeys]", ""), line), {
    maxLength: 12,
  })
  .map((lines) => lines.join("\n"));
const files = fc.dictionary(name, fc.oneof(collection, profile, fc.string({ unit: "binary" }), fc.json()), { maxKeys: 4 }); // prettier-ignore
const folders = fc.record(
  { rec_path: fc.constantFrom("E:\\Rec", "D:/", "\\\\nas\\rec"), media_path: fc.constantFrom("D:\\OBS_assets", "E:\\", "\\\\nas\\clips") },
  { requiredKeys: [] },
); // prettier-ignore

describe("whatever the files hold", () => {
  it("migrating twice changes nothing", async () => {
    await fc.assert(
      fc.asyncProperty(files, folders, async (given, where) => {
        const once = await migrate({ files: given, ...where });
        const twice = await migrate({ files: once.files, ...where });
        expect(twice.files).toEqual(once.files);
        expect(twice.changes).toEqual([]);
      }),
      { numRuns: 600 },
    );
  });

  it("migrating the fixtures twice changes nothing, and what comes out is JSON as it was", async () => {
    const once = await migrate({ files: fixtures(), rec_path: "D:\\Rec" });
    const twice = await migrate({ files: once.files, rec_path: "D:\\Rec" });
    expect(twice.files).toEqual(once.files);
    expect(twice.changes).toEqual([]);
    expect(JSON.parse(once.files["mac.json"] ?? "").sources).toHaveLength(19);
  });

  it("files keep their names, and those without a change keep every byte", async () => {
    await fc.assert(
      fc.asyncProperty(files, folders, async (given, where) => {
        const { files: migrated, changes } = await migrate({ files: given, ...where });
        expect(Object.keys(migrated)).toEqual(Object.keys(given));
        if (changes.length === 0) expect(migrated).toEqual(given);
      }),
      { numRuns: 300 },
    );
  });

  it("no name of a file reaches for a prototype", async () => {
    const given = JSON.parse('{"__proto__": "x", "constructor": "y"}') as Record<string, string>;
    const answer = await migrate({ files: given });
    expect(Object.getPrototypeOf(answer.files)).toBe(Object.prototype);
    expect(answer.files["constructor"]).toBe("y");
  });
});

const fill = (unit: string): string => unit.repeat(Math.floor((7.9 * MEBIBYTE) / unit.length));

describe("8 MiB", () => {
  it("of a collection are migrated whole", async () => {
    const sources = Array.from({ length: 36_000 }, (_, index) => ({
      name: `S${index}`,
      id: "image_source",
      versioned_id: "image_source",
      settings: { file: `/a/${index % 900}/logo.png` },
      mixers: 255,
      hotkeys: {},
      uuid: "8587cf13-6937-4e51-a1df-ed1ebb87d537",
    }));
    const text = JSON.stringify({ sources }, null, 1);
    expect(text.length).toBeGreaterThan(7.5 * MEBIBYTE);
    const { files: migrated, changes } = await migrate({ files: { "a.json": text } });
    const read = JSON.parse(migrated["a.json"] ?? "").sources as { settings: { file: string } }[];
    expect(read).toHaveLength(sources.length);
    expect(new Set(read.map(({ settings }) => settings.file)).size).toBe(900);
    expect(migrated["a.json"]).not.toContain("/a/");
    expect(changes.at(-1)).toMatch(/^And \d+ more changes\.$/);
  });

  it.each([
    ["empty sources", `{"sources":[${fill("{},")}1]}`],
    ["one list", `{"sources":[{"id":"slideshow","settings":{"files":[${fill('{"value":"/a"},')}1]}}]}`],
    ["one style sheet", `{"sources":[{"id":"browser_source","settings":{"css":"${fill("file:///a ")}"}}]}`],
  ])("of %s are refused as too many, soon", async (_what, text) => {
    const start = process.cpuUsage();
    await expect(migrate({ files: { "a.json": text } })).rejects.toMatchObject({ code: "too_many_things" });
    expect(process.cpuUsage(start).user / 1_000).toBeLessThan(SOON_MS);
  });
});
