import { describe, expect, it } from "vitest";
import { fixtures, migrate } from "./support.ts";

const profile = async (ini: string, rec_path?: string) => {
  const answer = await migrate({
    files: { "basic.ini": ini },
    ...(rec_path === undefined ? {} : { rec_path }),
  });
  return { ini: answer.files["basic.ini"], steps: answer.manual_steps, changes: answer.changes };
};

describe("a profile", () => {
  it("records where rec_path says, in both modes, and keeps every other line", async () => {
    const before = fixtures()["mac-basic.ini"] ?? "";
    const { ini } = await profile(before, "E:\\My Recordings\\");
    const expected = before
      .replace("FilePath=/Users/mia/Movies\n", "FilePath=E:/My Recordings\n")
      .replace("RecFilePath=/Users/mia/Movies/Recordings", "RecFilePath=E:/My Recordings")
      .replace("FFFilePath=/Users/mia/Movies", "FFFilePath=E:/My Recordings")
      .replace("StreamEncoder=apple_h264", "StreamEncoder=x264")
      .replace("RecEncoder=apple_hevc", "RecEncoder=x264")
      .replace("\nEncoder=com.apple.videotoolbox.videoencoder.ave.avc", "\nEncoder=obs_x264")
      .replace("RecEncoder=com.apple.videotoolbox.videoencoder.ave.hevc", "RecEncoder=obs_x264")
      .replaceAll("CoreAudio_AAC", "ffmpeg_aac")
      .replace("MonitoringDeviceId=AppleUSBAudioEngine:Focusrite:Scarlett", "MonitoringDeviceId=default")
      .replace("MonitoringDeviceName=Scarlett 2i2", "MonitoringDeviceName=Default")
      .replace('{"command":true,"key":"OBS_KEY_S"', '{"control":true,"key":"OBS_KEY_S"');
    expect(ini).toBe(expected);
  });

  it("leaves the recording path without rec_path, and says so", async () => {
    const { ini, steps, changes } = await profile("[AdvOut]\nRecFilePath=/Users/mia/Movies\n");
    expect(ini).toBe("[AdvOut]\nRecFilePath=/Users/mia/Movies\n");
    expect(changes).toEqual([]);
    expect(steps).toEqual([expect.stringContaining("recordings go to /Users/mia/Movies")]);
  });

  it.each([
    ["D:\\Rec", "D:/Rec"],
    ["D:/Rec", "D:/Rec"],
    ["D:\\", "D:/"],
    ["\\\\nas\\rec", "//nas/rec"],
  ])("takes rec_path %s as OBS writes it: %s", async (rec_path, written) => {
    const { ini } = await profile("[AdvOut]\nRecFilePath=/a\n", rec_path);
    expect(ini).toBe(`[AdvOut]\nRecFilePath=${written}\n`);
  });

  it("keeps a path that means the same folder, as OBS escapes it", async () => {
    const ini = "[AdvOut]\nRecFilePath=D:\\\\Rec\n";
    expect((await profile(ini, "D:\\Rec")).ini).toBe(ini);
  });

  it.each([
    ["Encoder", "com.apple.videotoolbox.videoencoder.ave.avc", "obs_x264"],
    ["Encoder", "vt_h264_hw", "obs_x264"],
    ["RecEncoder", "com.apple.videotoolbox.videoencoder.ave.hevc", "obs_x264"],
    ["RecEncoder", "com.apple.videotoolbox.videoencoder.appleproreshw.422", "obs_x264"],
    ["Encoder", "ffmpeg_vaapi", "obs_x264"],
    ["Encoder", "ffmpeg_vaapi_tex", "obs_x264"],
    ["Encoder", "hevc_ffmpeg_vaapi_tex", "obs_x264"],
    ["Encoder", "av1_ffmpeg_vaapi", "ffmpeg_svt_av1"],
    ["Encoder", "ffmpeg_nvenc", "obs_nvenc_h264_tex"],
    ["Encoder", "ffmpeg_hevc_nvenc", "obs_nvenc_hevc_tex"],
    ["AudioEncoder", "libfdk_aac", "ffmpeg_aac"],
  ])("gets a Windows encoder: %s=%s becomes %s, with a step", async (key, from, to) => {
    const { ini, steps } = await profile(`[AdvOut]\n${key}=${from}\n`);
    expect(ini).toBe(`[AdvOut]\n${key}=${to}\n`);
    expect(steps).toEqual([
      expect.stringContaining(`"${from}" does not exist on Windows; ${key} is now ${to}`),
    ]);
  });

  it.each([
    "obs_x264",
    "jim_nvenc",
    "obs_nvenc_h264_tex",
    "obs_qsv11_v2",
    "h264_texture_amf",
    "ffmpeg_opus",
    "none",
  ])("keeps the encoder %s", async (encoder) => {
    const ini = `[AdvOut]\nEncoder=${encoder}\n`;
    expect(await profile(ini)).toEqual({ ini, steps: [], changes: [] });
  });

  it.each([
    ["in another section", "[Other]\nRecFilePath=/a\nEncoder=ffmpeg_vaapi\n"],
    ["before any section", "RecFilePath=/a\n[AdvOut]\n"],
    ["in a comment", "[AdvOut]\n# RecFilePath=/a\n"],
    ["without a value", "[AdvOut]\nRecFilePath\nEncoder=\n"],
    ["in hotkeys that are no JSON", '[Hotkeys]\nA={"bindings":[{"command":true\n'],
    ["in an empty file", ""],
  ])("keeps what it does not know: %s", async (_where, ini) => {
    expect(await profile(ini, "D:\\Rec")).toEqual({ ini, steps: [], changes: [] });
  });

  it("keeps line ends, spaces, a byte order mark, and a last line without an end", async () => {
    const ini = "\ufeff[ADVOUT]\r\n  recfilepath =  /a \r\nX=1\r\n\r\nFFFilePath=/b";
    expect((await profile(ini, "D:\\Rec")).ini).toBe(ini.replace("/a", "D:/Rec").replace("/b", "D:/Rec"));
  });
});

describe("beside a profile", () => {
  it("the settings of encoders and the service stay as they are, with steps that do not tell the stream key", async () => {
    const { "service.json": service = "", "streamEncoder.json": encoder = "" } = fixtures();
    const files = { "p/service.json": service, "p/streamEncoder.json": encoder };
    const answer = await migrate({ files });
    expect(answer.files).toEqual(files);
    expect(answer.changes).toEqual([]);
    expect(answer.manual_steps).toEqual([
      "p/service.json: it holds your stream key; keep the file to yourself.",
      "p/streamEncoder.json: no encoder on Windows reads vaapi_device; check its settings.",
    ]);
  });
});
