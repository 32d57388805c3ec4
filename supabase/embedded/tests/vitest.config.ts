import { defineConfig } from "vitest/config";

/** For the tests of this folder alone; those of a site may run them with its own. */
export default defineConfig({
  root: new URL("..", import.meta.url).pathname,
  test: {
    // Each file starts databases of its own.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
  },
});
