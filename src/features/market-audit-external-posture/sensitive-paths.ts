import type { Check } from "./check.ts";

/** A path that nobody should be able to read, and how its content is told from a page that answers everything. */
export type SensitivePath = {
  readonly path: string;
  readonly severity: Check["severity"];
  /** What it is, after "It serves": content is never repeated. */
  readonly what: string;
  /** Whether the beginning of a body, read as Latin-1, is what the path promises. */
  readonly holds: (text: string) => boolean;
};

const matching =
  (...patterns: readonly RegExp[]) =>
  (text: string): boolean =>
    patterns.every((pattern) => pattern.test(text));

const ASSIGNMENT = /^(?:export )?[A-Za-z_][A-Za-z0-9_.]{0,100}[ \t]{0,4}=/;
const HASHED_PASSWORD = /^[^\s:#<>]{1,255}:(?:\$(?:apr1|2[aby]|5|6)\$|\{SHA\}|[./0-9A-Za-z]{13}$)/;
const SQL_DUMP =
  /^(?:-- (?:MySQL|MariaDB|PostgreSQL database|PostgreSQL database cluster|phpMyAdmin SQL) dump\b|CREATE TABLE |INSERT INTO |DROP TABLE )/im;
const SECRET_KEY = /passw|secret|token|api_?key|private_?key|credential|connection_?string/i;

export const SENSITIVE_PATHS: readonly SensitivePath[] = [
  {
    path: "/.git/HEAD",
    severity: "high",
    what: "a Git repository, and with it the sources and their history",
    holds: matching(/^(?:ref: refs\/\S{1,200}|[0-9a-f]{40}|[0-9a-f]{64})\s*$/),
  },
  {
    path: "/.env",
    severity: "critical",
    what: "a file of environment settings, which usually hold credentials",
    holds: (text) => mostLines(text, ASSIGNMENT),
  },
  {
    path: "/.svn/entries",
    severity: "high",
    what: "a Subversion working copy",
    holds: matching(/^(?:\d{1,2}\s*\n|<\?xml[^>]{0,100}>\s*<wc-entries)/),
  },
  {
    path: "/.DS_Store",
    severity: "low",
    what: "a folder listing of macOS, which names files that are not linked",
    holds: (text) => text.startsWith("\0\0\0\u0001Bud1"),
  },
  {
    path: "/server-status",
    severity: "medium",
    what: "Apache's status page, which shows the requests of other visitors",
    holds: matching(/Apache Server Status for|Apache Status/, /Server Version:/),
  },
  {
    path: "/phpinfo.php",
    severity: "medium",
    what: "phpinfo(), which shows the server's settings and environment",
    holds: matching(/<title>(?:PHP [\d.]{1,20} - )?phpinfo\(\)<\/title>/i, /PHP Version/),
  },
  {
    path: "/backup.sql",
    severity: "critical",
    what: "a dump of a database",
    holds: (text) => !isMarkup(text) && SQL_DUMP.test(text),
  },
  {
    path: "/wp-config.php.bak",
    severity: "critical",
    what: "a copy of WordPress's settings with the database's password",
    holds: matching(/^\s*<\?php/, /\bDB_PASSWORD\b/),
  },
  {
    path: "/.aws/credentials",
    severity: "critical",
    what: "AWS credentials",
    holds: matching(/^\s*\[[^\]\n]{1,100}\]/, /^aws_(?:access_key_id|secret_access_key)[ \t]{0,4}=/m),
  },
  {
    path: "/id_rsa",
    severity: "critical",
    what: "a private key",
    holds: matching(/^\s{0,20}-----BEGIN (?:[A-Z]{2,10} )?(?:ENCRYPTED )?PRIVATE KEY-----/),
  },
  {
    path: "/.htpasswd",
    severity: "high",
    what: "user names with hashed passwords",
    holds: (text) => mostLines(text, HASHED_PASSWORD),
  },
  {
    path: "/.npmrc",
    severity: "critical",
    what: "a package registry's token",
    holds: (text) => !isMarkup(text) && /^[^\s=]{0,200}:?_auth(?:Token)?[ \t]{0,4}=/m.test(text),
  },
  {
    path: "/config.json",
    severity: "high",
    what: "settings with credentials among them",
    holds: holdsSecretSettings,
  },
  {
    path: "/docker-compose.yml",
    severity: "medium",
    what: "a Docker Compose file, which shows how the service is put together",
    holds: (text) => !isMarkup(text) && matching(/^services:\s*$/m, /^[ \t]{1,20}(?:image|build):/m)(text),
  },
  {
    path: "/actuator/env",
    severity: "high",
    what: "the environment of a Spring Boot application",
    holds: (text) => /^\s*\{/.test(text) && /"propertySources"\s{0,20}:\s{0,20}\[/.test(text),
  },
  {
    path: "/debug/pprof/",
    severity: "medium",
    what: "the profiles of a running Go program",
    holds: matching(/Types of profiles available/),
  },
];

const isMarkup = (text: string): boolean => /^\s*</.test(text);

/** Whether the first line of a text has this form, and at least half of all; comments do not count. */
function mostLines(text: string, form: RegExp): boolean {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
  const formed = lines.filter((line) => form.test(line));
  return lines[0] !== undefined && lines[0] === formed[0] && formed.length * 2 >= lines.length;
}

/** Whether a JSON object holds, at any depth, a text under a key that names a secret. */
function holdsSecretSettings(text: string): boolean {
  if (!/^\s*\{/.test(text)) return false;
  let found = false;
  try {
    JSON.parse(text, (key, value: unknown) => {
      found ||= typeof value === "string" && value !== "" && SECRET_KEY.test(key);
      return value;
    });
  } catch {
    // It is no JSON, or nested deeper than any settings are.
    return false;
  }
  return found;
}
