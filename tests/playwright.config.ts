import { defineConfig } from "playwright/test";
import { useMemoryFolder } from "./support/memory-folder.ts";

// Before the browser is unpacked.
useMemoryFolder();
const { launchOptions } = await import("./support/browser/chromium.ts");

const slow = "**/*.slow.test.ts";

export default defineConfig({
  testDir: "e2e",
  globalSetup: "./support/cluster-template.ts",
  outputDir: "../test-results",
  fullyParallel: true,
  // Two cores: with more workers the run is no shorter. Each has a site and a database of its own.
  workers: 3,
  // Shorter than a test's own limit, so that the step that waits is named.
  expect: { timeout: 10_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: "list",
  use: {
    locale: "ar-SA",
    // A process less for each worker takes a tenth off the CPU of a run.
    launchOptions: { ...launchOptions, args: [...(launchOptions.args ?? []), "--in-process-gpu"] },
    actionTimeout: 10_000,
  },
  // `npm test` runs the quick ones, `npm run test:slow` the others.
  projects: [
    { name: "quick", testIgnore: slow, timeout: 20_000 },
    { name: "slow", testMatch: slow, timeout: 120_000 },
  ],
});
