const FOLDER = /^(?:[A-Za-z]:(?=[\\/]|$)|[\\/]{2}[^\\/<>:"|?*]+[\\/]+[^\\/<>:"|?*]+)(.*)$/s;
/** What a name on Windows may not hold (Naming Files, Paths, and Namespaces; Microsoft). */
const FORBIDDEN = /[<>:"/\\|?*\p{Cc}]/gu;
const RESERVED = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;
const FOLDER_CHARS = 240;

/**
 * A Windows folder as OBS writes it: forward slashes, none at the end. Undefined for what is no absolute path of a
 * drive (`D:\clips`) or of a share (`\\nas\clips`).
 */
export function windowsFolder(path: string): string | undefined {
  const [whole, rest = ""] = FOLDER.exec(path) ?? [];
  if (whole === undefined || whole.length > FOLDER_CHARS) return undefined;
  const names = rest.split(/[\\/]/).filter((name) => name !== "");
  if (names.some((name) => name !== safeName(name))) return undefined;
  const root = path.slice(0, path.length - rest.length).replaceAll("\\", "/");
  const start = root.replace(/(?<=[^/])\/+/g, "/");
  return names.length === 0 && start.endsWith(":") ? `${start}/` : [start, ...names].join("/");
}

/** Whether a text is an absolute path of macOS or Linux; `//nas/clips` is one of Windows. */
export const isForeignPath = (text: string): boolean => /^\/[^/\0]/.test(text);

/** A name that Windows can give a file: what it does not take becomes an underscore. */
export function safeName(name: string): string {
  const printable = name.replace(FORBIDDEN, "_");
  let end = printable.length;
  while (end > 0 && " .".includes(printable.charAt(end - 1))) end--;
  const kept = printable.slice(0, end) || "_";
  return RESERVED.test(kept) ? `_${kept}` : kept;
}

/** The `file:` URL of a Windows path with forward slashes (RFC 8089, appendix E). */
export function fileUrl(path: string): string {
  const encoded = path.split("/").map(encodeURIComponent).join("/");
  return path.startsWith("//") ? `file:${encoded}` : `file:///${encoded.replace("%3A", ":")}`;
}

/** The parts of a `file:` URL of this machine: its path, decoded, and what follows it (query, fragment). */
function partsOf(url: string): { readonly path: string; readonly rest: string } | undefined {
  const [, encoded, rest = ""] = /^file:\/\/(?:localhost)?(\/[^?#]*)(.*)$/is.exec(url) ?? [];
  if (encoded === undefined) return undefined;
  try {
    return { path: decodeURIComponent(encoded), rest };
  } catch {
    return undefined;
  }
}

const DRIVE = /^\/[a-z][:|](?:\/|$)/i;

/**
 * The path of macOS or Linux in a `file:` URL, and what follows it. Undefined for every other URL: also for one of
 * Windows, and for one whose percent encoding is broken.
 */
export function foreignFileUrl(url: string): { readonly path: string; readonly rest: string } | undefined {
  const parts = partsOf(url);
  return parts === undefined || DRIVE.test(parts.path) || !isForeignPath(parts.path) ? undefined : parts;
}

/** The path of Windows in a `file:` URL with a drive; undefined for every other text. */
export function windowsFileUrl(url: string): string | undefined {
  const path = partsOf(url)?.path;
  return path !== undefined && DRIVE.test(path) ? path.slice(1) : undefined;
}
