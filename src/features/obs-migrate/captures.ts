/** What a capture of macOS or Linux becomes. */
export type Capture = {
  readonly id: string;
  /** What has to be chosen again. */
  readonly choose: string;
  /** Settings that Windows has under another name. */
  readonly renamed?: Readonly<Record<string, string>>;
};

const microphone: Capture = { id: "wasapi_input_capture", choose: "the microphone or line" };
const desktopAudio: Capture = { id: "wasapi_output_capture", choose: "the output to listen to" };
const appAudio: Capture = { id: "wasapi_process_output_capture", choose: "the application" };
const camera: Capture = { id: "dshow_input", choose: "the camera, its resolution and rate" };
const cursor = (to: string): Record<string, string> => ({ show_cursor: to, ShowCursor: to });
const display: Capture = {
  id: "monitor_capture",
  choose: "the display",
  renamed: cursor("capture_cursor"),
};
const oneWindow: Capture = { id: "window_capture", choose: "the window", renamed: cursor("cursor") };
const game: Capture = { id: "game_capture", choose: "the game; a Syphon server has no counterpart here" };

/**
 * Captures by id without its version. OBS's own importer (`importers/studio.cpp`) knows some of these; the rest is
 * named in the plugins mac-capture, mac-avcapture, linux-capture, linux-pipewire, linux-v4l2 and linux-jack.
 */
const CAPTURES: ReadonlyMap<string, Capture> = new Map([
  ["coreaudio_input_capture", microphone],
  ["coreaudio_output_capture", desktopAudio],
  ["sck_audio_capture", desktopAudio],
  ["pulse_input_capture", microphone],
  ["pulse_output_capture", desktopAudio],
  ["pipewire_audio_input_capture", microphone],
  ["pipewire_audio_output_capture", desktopAudio],
  ["pipewire_audio_application_capture", appAudio],
  ["alsa_input_capture", microphone],
  ["sndio_output_capture", microphone],
  ["oss_input_capture", microphone],
  ["jack_output_capture", desktopAudio],
  ["av_capture_input", camera],
  ["macos-avcapture", camera],
  ["macos-avcapture-fast", camera],
  ["v4l2_input", camera],
  ["pipewire-camera-source", camera],
  ["display_capture", display],
  ["screen_capture", display],
  ["xshm_input", display],
  ["pipewire-desktop-capture-source", display],
  ["pipewire-screen-capture-source", display],
  ["xcomposite_input", oneWindow],
  ["pipewire-window-capture-source", oneWindow],
  ["syphon-input", game],
]);

/** What ScreenCaptureKit captures, by its setting `type`: 0 is a display, or all audio. */
const BY_TYPE: ReadonlyMap<string, Capture> = new Map([
  ["screen_capture 1", oneWindow],
  ["screen_capture 2", oneWindow],
  ["sck_audio_capture 1", appAudio],
]);

/** What a source becomes on Windows; undefined when it is no capture of another system. `type` is its setting. */
export const captureFor = (id: string, type: string | undefined): Capture | undefined =>
  BY_TYPE.get(`${id} ${type ?? ""}`) ?? CAPTURES.get(id);
