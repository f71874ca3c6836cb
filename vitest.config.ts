import { defineConfig } from "vitest/config";

/** For what never ends: no test may depend on how fast the machine is, and a busy one is ten times slower. */
const TEST_TIMEOUT_MS = 300_000;

const shared = {
  testTimeout: TEST_TIMEOUT_MS,
  hookTimeout: TEST_TIMEOUT_MS,
  sequence: { shuffle: true },
};
const integration = (name: string, dispatch: "postgres" | "redis") => ({
  test: { ...shared, name, include: ["test/integration/**/*.test.ts"], env: { TEST_DISPATCH: dispatch } },
});

/** The same integration suite runs on both dispatchers. The chaos and the package tests have commands of their own. */
export default defineConfig({
  test: {
    globalSetup: ["test/support/global-setup.ts"],
    // Most tests wait more than they compute.
    maxWorkers: 4,
    reporters: ["default", ["json", { outputFile: ".data/test-results.json" }]],
    // Node runs the tests as it runs the product: no transformation between.
    experimental: { viteModuleRunner: false },
    projects: [
      {
        test: {
          ...shared,
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: ["**/node_modules/**", "test/integration/**", "test/chaos/**", "test/package/**"],
        },
      },
      integration("calls table", "postgres"),
      integration("redis", "redis"),
    ],
  },
});
