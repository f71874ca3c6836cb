/** What takes the place of an encoder that Windows does not have. */
export type Encoder = { readonly id: string; readonly hint: string };

const HEVC =
  "OBS encodes HEVC on Windows with the graphics card only: choose NVENC, AMF or QuickSync HEVC if you have one";
const x264: Encoder = { id: "obs_x264", hint: "a hardware encoder (NVENC, AMF, QuickSync) may be faster" };
const aac: Encoder = { id: "ffmpeg_aac", hint: "it is of the same codec" };

/** By patterns of ids, the first that fits: VideoToolbox (also its ids before OBS 28), VA-API, the old NVENC of Linux. */
const ADVANCED: readonly (readonly [RegExp, Encoder])[] = [
  [/^com\.apple\.videotoolbox\..*(?:hevc|hvc)/, { id: "obs_x264", hint: HEVC }],
  [/^com\.apple\.videotoolbox\..*prores/, { id: "obs_x264", hint: "there is no ProRes; for editing record CQP or CRF" }],
  [/^com\.apple\.videotoolbox\./, x264],
  [/^vt_h264_/, x264],
  [/^hevc_ffmpeg_vaapi/, { id: "obs_x264", hint: HEVC }],
  [/^av1_ffmpeg_vaapi/, { id: "ffmpeg_svt_av1", hint: "a hardware encoder (NVENC, AMF, QuickSync AV1) is faster" }],
  [/^ffmpeg_vaapi/, x264],
  [/^ffmpeg_nvenc$/, { id: "obs_nvenc_h264_tex", hint: "before OBS 31 it is called jim_nvenc" }],
  [/^ffmpeg_hevc_nvenc$/, { id: "obs_nvenc_hevc_tex", hint: "before OBS 31 it is called jim_hevc_nvenc" }],
  [/^CoreAudio_AAC$/, aac],
  [/^libfdk_aac$/, aac],
]; // prettier-ignore

/** Names of the simple output mode. */
const SIMPLE: ReadonlyMap<string, Encoder> = new Map([
  ["apple_h264", { id: "x264", hint: x264.hint }],
  ["apple_hevc", { id: "x264", hint: HEVC }],
]);

/** What an encoder of the advanced output mode becomes; undefined when Windows has it. */
export const advancedEncoder = (id: string): Encoder | undefined =>
  ADVANCED.find(([pattern]) => pattern.test(id))?.[1];

/** What an encoder of the simple output mode becomes; undefined when Windows has it. */
export const simpleEncoder = (name: string): Encoder | undefined => SIMPLE.get(name);

/** Settings in `streamEncoder.json` and `recordEncoder.json` that only VideoToolbox or VA-API read. */
export const ENCODER_SETTINGS: ReadonlySet<string> = new Set([
  "vaapi_device",
  "limit_bitrate",
  "max_bitrate_window",
  "codec_type",
  "spatial_aq_mode",
]);
