import { describe, expect, it } from "vitest";
import { fixtures, image, migrate, sourcesOf } from "./support.ts";

const withImage = (path: string): string => JSON.stringify({ sources: [image(path)] });
const settingsOf = async (id: string, settings: object, folders = {}) =>
  (await sourcesOf([{ name: "S", id, settings }], folders)).sources[0].settings;

describe("paths of a scene collection go to the media folder", () => {
  it.each([
    ["image_source", { file: "/Users/me/logo.png" }, { file: "D:/OBS_assets/logo.png" }],
    ["ffmpeg_source", { local_file: "/home/me/a b.mp4" }, { local_file: "D:/OBS_assets/a b.mp4" }],
    ["ffmpeg_source", { input: "file:///home/me/a%20b.mp4" }, { input: "file:///D:/OBS_assets/a%20b.mp4" }],
    ["slideshow", { files: [{ value: "/m/a.png" }] }, { files: [{ value: "D:/OBS_assets/a.png" }] }],
    ["slideshow_v2", { files: [{ value: "/m/all/" }] }, { files: [{ value: "D:/OBS_assets/all" }] }],
    ["vlc_source", { playlist: [{ value: "/m/a.mp3" }] }, { playlist: [{ value: "D:/OBS_assets/a.mp3" }] }],
    ["browser_source", { is_local_file: true, local_file: "/m/a.html" }, { is_local_file: true, local_file: "D:/OBS_assets/a.html" }],
    ["browser_source", { url: "file:///m/caf%C3%A9.html?a=%2F#b" }, { url: "file:///D:/OBS_assets/caf%C3%A9.html?a=%2F#b" }],
    ["browser_source", { url: "FILE://localhost/m/a.html" }, { url: "file:///D:/OBS_assets/a.html" }],
    ["browser_source", { css: "a{b:url(file:///m/a.png)}" }, { css: "a{b:url(file:///D:/OBS_assets/a.png)}" }],
    ["text_ft2_source_v2", { text_file: "/m/now.txt" }, { text_file: "D:/OBS_assets/now.txt" }],
    ["mask_filter_v2", { image_path: "/m/mask.png" }, { image_path: "D:/OBS_assets/mask.png" }],
    ["clut_filter", { image_path: "/m/film.cube" }, { image_path: "D:/OBS_assets/film.cube" }],
    ["obs_stinger_transition", { path: "/m/s.webm", track_matte_path: "/m/t/s.webm" }, { path: "D:/OBS_assets/s.webm", track_matte_path: "D:/OBS_assets/s-2.webm" }],
  ])("of %s: %j", async (id, settings, expected) => {
    expect(await settingsOf(id, settings)).toEqual(expected);
  }); // prettier-ignore

  it.each([
    ["C:\\Stream\\media", "C:/Stream/media/logo.png", "file:///C:/Stream/media/logo.png"],
    ["E:\\", "E:/logo.png", "file:///E:/logo.png"],
    ["D:/My Media/", "D:/My Media/logo.png", "file:///D:/My%20Media/logo.png"],
    ["\\\\nas\\clips\\obs", "//nas/clips/obs/logo.png", "file://nas/clips/obs/logo.png"],
  ])("of the caller's: %s", async (media_path, path, url) => {
    const { sources } = await sourcesOf(
      [
        image("/Users/me/logo.png"),
        { name: "P", id: "browser_source", settings: { url: "file:///Users/me/logo.png" } },
      ],
      { media_path },
    );
    expect(sources.map(({ settings }) => settings.file ?? settings.url)).toEqual([path, url]);
  });

  it("in filters, groups, transitions, scene items and scripts, too", async () => {
    const file = JSON.stringify({
      sources: [
        { name: "S", id: "scene", settings: { items: [{ show_transition: { id: "obs_stinger_transition", transition: { path: "/m/1" } } }] } },
        { name: "I", id: "color_source_v3", settings: {}, filters: [{ name: "F", id: "mask_filter", settings: { image_path: "/m/2" } }] },
      ],
      groups: [{ name: "G", id: "group", settings: {}, filters: [{ name: "F", id: "clut_filter", settings: { image_path: "/m/3" } }] }],
      transitions: [{ name: "T", id: "obs_stinger_transition", settings: { path: "/m/4" } }],
      modules: { "scripts-tool": [{ path: "/m/5.lua" }] },
    }); // prettier-ignore
    const { files } = await migrate({ files: { "a.json": file } });
    expect(files["a.json"]).toBe(file.replaceAll("/m/", "D:/OBS_assets/"));
  });

  it("with one name for one path, and another for another, whatever their case", async () => {
    const paths = [
      "/a/logo.png",
      "/b/logo.png",
      "/a/logo.png",
      "/c/LOGO.png",
      "/d/logo-2.png",
      "/e/.logo",
      "/f/.logo",
    ];
    const { sources } = await sourcesOf(paths.map((path) => image(path)));
    expect(sources.map(({ settings }) => settings.file.slice("D:/OBS_assets/".length))).toEqual([
      "logo.png", "logo-2.png", "logo.png", "LOGO-3.png", "logo-2-2.png", ".logo", ".logo-2",
    ]); // prettier-ignore
  });

  it("with one name for one path in all files of a call", async () => {
    const { files } = await migrate({
      files: { a: withImage("/a/x.png"), b: withImage("/b/x.png"), c: withImage("/a/x.png") },
    });
    expect(Object.values(files).map((text) => JSON.parse(text).sources[0].settings.file)).toEqual([
      "D:/OBS_assets/x.png",
      "D:/OBS_assets/x-2.png",
      "D:/OBS_assets/x.png",
    ]);
  });

  it("without taking the name of what lies there already", async () => {
    const there = ["D:/OBS_assets/x.png", "d:\\obs_assets\\y.png"].map((path) => image(path));
    const page = { name: "P", id: "browser_source", settings: { url: "file:///D:/OBS_assets/z%20.png" } };
    const { sources } = await sourcesOf([
      image("/a/x.png"),
      image("/a/y.png"),
      image("/a/z .png"),
      ...there,
      page,
    ]);
    expect(sources.slice(0, 3).map(({ settings }) => settings.file)).toEqual([
      "D:/OBS_assets/x-2.png",
      "D:/OBS_assets/y-2.png",
      "D:/OBS_assets/z -2.png",
    ]);
  });

  it.each([
    ["/a/what?.png", "what_.png"],
    ['/a/a<b>:"|*\\.png', "a_b______.png"],
    ["/a/trailing. .", "trailing"],
    ["/a/con.png", "_con.png"],
    ["/a/COM1", "_COM1"],
    ["/a/...", "_"],
    ["/a/tab\there.png", "tab_here.png"],
    ["/../../etc/passwd", "passwd"],
    ["/a/Grüße 東京.png", "Grüße 東京.png"],
    ["/a/__proto__", "__proto__"],
  ])("under a name that Windows takes: %s", async (path, name) => {
    expect(await settingsOf("image_source", { file: path })).toEqual({ file: `D:/OBS_assets/${name}` });
  });

  it.each(["/..", "/a/..", "/dev/video0", "/proc/1/mem"])("but not %s, which names no file", async (path) => {
    const { sources, steps } = await sourcesOf([image(path)]);
    expect(sources[0].settings.file).toBe(path);
    expect(steps).toEqual([`a.json: "Image" file: ${path} names no file; choose it again.`]);
  });
});

describe("left as it is", () => {
  it.each([
    ["image_source", { file: "C:/Users/me/logo.png" }],
    ["image_source", { file: "//nas/logo.png" }],
    ["image_source", { file: "logo.png" }],
    ["image_source", { file: "" }],
    ["image_source", { file: 5 }],
    ["text_ft2_source_v2", { text: "/Users/me is where I live" }],
    ["browser_source", { url: "https://a.test/?x=/Users/me/a.html" }],
    ["browser_source", { url: "file:///C:/a.html" }],
    ["browser_source", { url: "file:///%ZZ/a.html" }],
    ["browser_source", { url: "file://host/a.html" }],
    ["wipe_transition", { luma_image: "linear-h.png" }],
    ["my_plugin", { file: "/Users/me/a.bin" }],
  ])("is %s %j", async (id, settings) => {
    const { sources, changes } = await sourcesOf([{ name: "S", id, settings }]);
    expect(sources[0].settings).toEqual(settings);
    expect(changes).toEqual([]);
  });

  it.each([
    "[]",
    "null",
    "5",
    "",
    "{",
    '{"a":1}',
    '{"sources":5}',
    "\ufeff",
    "plain text",
    "[General]\nA=/Users/me\n",
  ])("is a file that is no collection: %j", async (text) => {
    const { files, changes, manual_steps } = await migrate({ files: { "a.json": text } });
    expect(files).toEqual({ "a.json": text });
    expect(changes).toEqual([]);
    expect(manual_steps).toEqual([expect.stringContaining("left as it is")]);
  });

  it("are the numbers, the order and the spaces of a real collection", async () => {
    const { files } = await migrate({ files: fixtures() });
    for (const name of ["mac.json", "linux.json"]) {
      const [before = "", after = ""] = [fixtures()[name], files[name]];
      const lines = before.split("\n");
      expect(after.split("\n")).toHaveLength(lines.length);
      const changed = after.split("\n").filter((line, at) => line !== lines[at]);
      const known =
        /D:\/OBS_assets|wasapi_|dshow_input|monitor_capture|window_capture|game_capture|"default"|cursor"|"control"/;
      expect(changed.length).toBeGreaterThan(10);
      for (const line of changed) expect(line).toMatch(known);
    }
  });
});

describe("a capture", () => {
  it.each([
    ["coreaudio_input_capture", {}, "wasapi_input_capture"],
    ["pulse_input_capture", {}, "wasapi_input_capture"],
    ["alsa_input_capture", {}, "wasapi_input_capture"],
    ["coreaudio_output_capture", {}, "wasapi_output_capture"],
    ["pulse_output_capture", {}, "wasapi_output_capture"],
    ["jack_output_capture", {}, "wasapi_output_capture"],
    ["sck_audio_capture", { type: 0 }, "wasapi_output_capture"],
    ["sck_audio_capture", { type: 1 }, "wasapi_process_output_capture"],
    ["av_capture_input_v2", {}, "dshow_input"],
    ["macos-avcapture", {}, "dshow_input"],
    ["v4l2_input", {}, "dshow_input"],
    ["display_capture", {}, "monitor_capture"],
    ["screen_capture", {}, "monitor_capture"],
    ["screen_capture", { type: 1 }, "window_capture"],
    ["xshm_input_v2", {}, "monitor_capture"],
    ["pipewire-screen-capture-source", {}, "monitor_capture"],
    ["xcomposite_input", {}, "window_capture"],
    ["pipewire-window-capture-source", {}, "window_capture"],
    ["syphon-input", {}, "game_capture"],
  ])("%s %j becomes %s, with a step", async (id, settings, expected) => {
    const { sources, steps } = await sourcesOf([{ name: "C", id, versioned_id: `${id}_v2`, settings }]);
    expect(sources[0]).toMatchObject({ id: expected, versioned_id: expected });
    expect(steps).toEqual([expect.stringContaining(`"C" was ${id} and is now ${expected}: choose`)]);
  });

  it("listens to the default device, and its step names the old one", async () => {
    const file = JSON.stringify({
      AuxAudioDevice1: { name: "Mic", id: "coreaudio_input_capture", settings: { device_id: "BuiltIn" } },
      sources: [],
    });
    const { files, manual_steps } = await migrate({ files: { "a.json": file } });
    expect(JSON.parse(files["a.json"] ?? "").AuxAudioDevice1.settings.device_id).toBe("default");
    expect(manual_steps[0]).toContain('These settings do not carry over: device_id "BuiltIn".');
  });

  it("keeps whether it shows the pointer", async () => {
    const cursor = { show_cursor: false };
    expect(await settingsOf("xshm_input", cursor)).toEqual({ capture_cursor: false });
    expect(await settingsOf("xcomposite_input", cursor)).toEqual({ cursor: false });
  });

  it("of a window on macOS stays one, with a step", async () => {
    const { sources, steps } = await sourcesOf([
      { name: "W", id: "window_capture", settings: { owner_name: "Safari", window_name: "x", window: 5 } },
    ]);
    expect(sources[0].id).toBe("window_capture");
    expect(steps).toEqual([expect.stringContaining("choose the window again")]);
  });
});

describe("what is left to do by hand", () => {
  it("names plugins, fonts, VLC, VST, scripts and files to copy", async () => {
    const { manual_steps: steps } = await migrate({ files: fixtures() });
    for (const part of [
      '"Second Mac": install the plugin DistroAV (NDI)',
      'install a plugin that knows "some_vendor_visualizer"',
      'Set again what holds a path: "shader_path"',
      'Install the font "Helvetica Neue"',
      "Install VLC media player",
      "VST plugin",
      "track.py needs Python",
      "Copy /Users/mia/Documents/Sponsors/logo.png to D:/OBS_assets/logo-2.png.",
    ]) {
      expect(steps).toContainEqual(expect.stringContaining(part));
    }
    expect(steps.join("\n")).not.toMatch(/"Arial"|stream-key/);
  });

  it("names hotkeys with Command and Control; Command alone becomes Control", async () => {
    const hotkeys = { "libobs.mute": [{ key: "OBS_KEY_M", command: true }, { key: "OBS_KEY_N", command: true, control: true }] }; // prettier-ignore
    const { sources, steps } = await sourcesOf([{ name: "S", id: "color_source", settings: {}, hotkeys }]);
    expect(sources[0].hotkeys["libobs.mute"]).toEqual([
      { key: "OBS_KEY_M", control: true },
      { key: "OBS_KEY_N", command: true, control: true },
    ]);
    expect(steps).toEqual([expect.stringContaining('the hotkey "OBS_KEY_N" of "S"')]);
  });
});
