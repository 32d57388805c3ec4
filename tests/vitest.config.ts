import { defineConfig } from "vitest/config";

export default defineConfig({
  root: new URL("..", import.meta.url).pathname,
  test: {
    include: ["{app,supabase,tests}/**/*.test.ts"],
    exclude: ["tests/e2e/**"],
    testTimeout: 20_000,
    hookTimeout: 30_000,
    // Two cores, and most files start a database of their own.
    maxWorkers: 2,
  },
});
