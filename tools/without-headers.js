// Plain JavaScript, as it runs right after an installation, on whatever Node that was made with.
import { existsSync, readdirSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * The Node that a checkout brings along holds 66 MB of headers for compiling add-ons against it. Nothing here is compiled.
 */
const PLATFORMS = fileURLToPath(new URL("../node_modules/node/node_modules/", import.meta.url));

for (const platform of existsSync(PLATFORMS) ? readdirSync(PLATFORMS) : [])
  rmSync(`${PLATFORMS}${platform}/include`, { recursive: true, force: true });
