import { resealSecrets } from "../core/webhooks/secrets.ts";
import { loadConfig } from "../platform/config.ts";
import { openKeyRing } from "../platform/config/secret-key.ts";
import { withDatabase } from "./database-url.ts";

/** Seals anew what was sealed with SECRET_KEY_PREVIOUS, so that that one may go. */
export async function rotate(): Promise<void> {
  const { secretKey, dataDir } = loadConfig();
  const keyRing = await openKeyRing(secretKey, dataDir);
  const sealed = await withDatabase((db) => resealSecrets(db, keyRing));
  console.log(
    `${sealed} secrets were sealed anew with the key ${keyRing.current.id}; nothing needs another one now.`,
  );
}
