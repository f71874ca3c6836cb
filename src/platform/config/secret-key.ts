import { randomBytes } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { createKeyRing, type KeyRing, SECRET_KEY_BYTES } from "../../core/secrets/key-ring.ts";

const secretKey = z
  .string()
  .regex(/^[A-Za-z0-9+/]{43}=$/, `must be ${SECRET_KEY_BYTES} bytes in base64 (openssl rand -base64 32)`)
  .transform((text) => Buffer.from(text, "base64"));

/** The settings of the secret that seals what is stored and signs URLs. */
export const secretKeySettings = {
  SECRET_KEY: secretKey.optional(),
  SECRET_KEY_PREVIOUS: secretKey.optional(),
};

/** `current` null: the one that lies in the data directory. */
export type SecretKeyConfig = { readonly current: Buffer | null; readonly previous: Buffer | null };

const FILE = "secret-key";
const ONLY_FOR_OWNER = 0o600;

/**
 * The keys of this platform. Where no secret is set, the one in `DATA_DIR/secret-key`; it is made where there is none,
 * by whichever process is first.
 */
export async function openKeyRing({ current, previous }: SecretKeyConfig, dataDir: string): Promise<KeyRing> {
  return createKeyRing(current ?? (await keptSecret(dataDir)), previous);
}

async function keptSecret(dataDir: string): Promise<Buffer> {
  const path = join(dataDir, FILE);
  const kept = (await read(path)) ?? (await make(dataDir, path));
  const parsed = secretKey.safeParse(kept.trim());
  if (!parsed.success) throw new Error(`${path} holds no secret key: it ${parsed.error.issues[0]?.message}.`);
  return parsed.data;
}

async function read(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Written whole under another name and then linked, so that no process reads half of it or puts its own in its place. */
async function make(dataDir: string, path: string): Promise<string> {
  await mkdir(dataDir, { recursive: true });
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  const text = `${randomBytes(SECRET_KEY_BYTES).toString("base64")}\n`;
  await writeFile(draft, text, { mode: ONLY_FOR_OWNER, flag: "wx", flush: true });
  try {
    await link(draft, path);
    return text;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return await readFile(path, "utf8");
  } finally {
    await rm(draft, { force: true });
  }
}
