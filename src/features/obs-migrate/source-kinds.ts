/** How a setting holds a path: as it is or as a `file:` URL, as URLs in a style sheet, or in the items of a list. */
export type PathSetting = { readonly key: string; readonly holds: "path" | "style sheet" | "list" };

const path = (...keys: readonly string[]): PathSetting[] => keys.map((key) => ({ key, holds: "path" }));

/** The settings of OBS's own sources, filters and transitions that hold paths, by id without its version. */
export const PATH_SETTINGS: ReadonlyMap<string, readonly PathSetting[]> = new Map([
  ["image_source", path("file")],
  ["ffmpeg_source", path("local_file", "input")],
  ["slideshow", [{ key: "files", holds: "list" }]],
  ["vlc_source", [{ key: "playlist", holds: "list" }]],
  ["browser_source", [...path("local_file", "url"), { key: "css", holds: "style sheet" }]],
  ["text_ft2_source", path("text_file")],
  ["text_gdiplus", path("file")],
  ["mask_filter", path("image_path")],
  ["clut_filter", path("image_path")],
  ["obs_stinger_transition", path("path", "track_matte_path")],
]);

/** What else OBS for Windows has itself, by id without its version. */
const BUILT_IN = new Set([
  ...PATH_SETTINGS.keys(),
  ..."scene group color_source wasapi_input_capture wasapi_output_capture wasapi_process_output_capture dshow_input".split(" "),
  ..."monitor_capture window_capture game_capture decklink-input aja_source".split(" "),
  ..."chroma_key_filter color_key_filter luma_key_filter color_filter color_grade_filter crop_filter scale_filter".split(" "),
  ..."scroll_filter sharpness_filter gpu_delay async_delay_filter hdr_tonemap_filter nv_greenscreen_filter".split(" "),
  ..."nv_background_blur_filter nv_blur_filter nvidia_audiofx_filter gain_filter compressor_filter limiter_filter".split(" "),
  ..."expander_filter upward_compressor_filter basic_eq_filter invert_polarity_filter noise_gate_filter".split(" "),
  ..."noise_suppress_filter vst_filter cut_transition fade_transition fade_to_color_transition swipe_transition".split(" "),
  ..."slide_transition wipe_transition".split(" "),
]); // prettier-ignore

/** Plugins whose sources people use most, by the beginnings of their ids. */
const PLUGINS: readonly (readonly [prefix: string, plugin: string])[] = [
  ["ndi_", "DistroAV (NDI)"],
  ["move_", "Move"],
  ["source_record_filter", "Source Record"],
  ["obs_composite_blur", "Composite Blur"],
  ["streamfx", "StreamFX"],
  ["shader_filter", "Shaderfilter"],
  ["user_shader_filter", "Shaderfilter"],
  ["advanced_masks", "Advanced Masks"],
  ["3d_effect", "3D Effect"],
  ["source_clone", "Source Clone"],
  ["replay_source", "Replay Source"],
  ["waveform", "Waveform"],
  ["background_removal", "Background Removal"],
  ["input-overlay", "Input Overlay"],
  ["media_playlist_source", "Media Playlist Source"],
  ["tuna", "Tuna"],
  ["stroke_glow_shadow", "Stroke Glow Shadow"],
];

/** An id without its version: `text_ft2_source_v2` is a `text_ft2_source`. */
export const unversioned = (id: string): string => id.replace(/_v\d+$/, "");

/** Whether OBS for Windows knows the id without a plugin. */
export const isBuiltIn = (id: string): boolean => BUILT_IN.has(unversioned(id));

/** The plugin that an id belongs to, where it is known. */
export const pluginOf = (id: string): string | undefined =>
  PLUGINS.find(([prefix]) => id.startsWith(prefix))?.[1];
