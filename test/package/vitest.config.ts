import { defineConfig } from "vitest/config";

/** npm asks its registry, and on a busy machine an installation takes minutes. */
const LIMIT_MS = 600_000;

/** What npm makes of the project. Slow, and it needs a registry: a command of its own. */
export default defineConfig({
  test: {
    include: ["test/package/*.test.ts"],
    testTimeout: LIMIT_MS,
    hookTimeout: LIMIT_MS,
    fileParallelism: false,
    experimental: { viteModuleRunner: false },
  },
});
