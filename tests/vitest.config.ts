import { defineConfig } from "vitest/config";
import { useMemoryFolder } from "./support/memory-folder.ts";

useMemoryFolder();

const slow = "{app,supabase,tests}/**/*.slow.test.ts";

export default defineConfig({
  root: new URL("..", import.meta.url).pathname,
  test: {
    // The packages of the bench and of the old browser have tests of their own.
    exclude: ["tests/e2e/**", "**/node_modules/**"],
    // `npm test` runs the first, `npm run test:slow` the second.
    projects: [
      {
        extends: true,
        test: { name: "quick", include: ["{app,supabase,tests}/**/*.test.ts"], exclude: [slow] },
      },
      {
        extends: true,
        test: {
          name: "slow",
          include: [slow],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          expect: { poll: { timeout: 30_000 } },
        },
      },
    ],
    globalSetup: "tests/support/cluster-template.ts",
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Shorter than a test's own limit, so that the step that waits is named.
    expect: { poll: { timeout: 10_000 } },
    // A worker takes many files, which halves the CPU of loading them: a file leaves nothing behind.
    isolate: false,
    // Two cores: with more workers the run is no shorter, and each test waits longer.
    maxWorkers: 4,
  },
});
