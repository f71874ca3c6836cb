import { readFileSync } from "node:fs";

type Environment = Readonly<Record<string, string | undefined>>;

/** Settings that are secret, or hold a password in an address. */
const SECRET = /_(KEY|TOKEN|SECRET)(_ID|_PREVIOUS)?$|^(DATABASE|REDIS)_URL$|^OTEL_EXPORTER_OTLP_HEADERS$/;

/**
 * Puts in the secret settings that `..._FILE` names a file for, as container platforms hand secrets on. `faults` tells,
 * in words, of files that cannot be read and of settings that are given twice.
 */
export function withSecretFiles(
  env: Environment,
  settings: readonly string[],
): { readonly env: Environment; readonly faults: readonly string[] } {
  const faults: string[] = [];
  const read: Record<string, string> = {};
  for (const name of settings.filter((setting) => SECRET.test(setting))) {
    const path = env[`${name}_FILE`];
    if (path === undefined) continue;
    if (env[name] !== undefined) faults.push(`✖ ${name} is given twice, by itself and as ${name}_FILE`);
    try {
      read[name] = readFileSync(path, "utf8").trim();
    } catch (error) {
      faults.push(`✖ ${name}_FILE cannot be read (${(error as NodeJS.ErrnoException).code})`);
    }
  }
  return { env: { ...env, ...read }, faults };
}

/** An environment that gives a secret setting by itself, and no longer by its file. */
export const withoutSecretFile = (env: Environment, name: string): Environment => ({
  ...env,
  [`${name}_FILE`]: undefined,
});
