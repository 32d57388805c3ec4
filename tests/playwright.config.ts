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
  // Two cores, on which much of a journey is waiting; each has a site and a database of its own.
  workers: 4,
  // Generous, for machines where all of it is slow: what passes does not wait for them.
  timeout: 120_000,
  expect: { timeout: 15_000 },
  // What needs it is listed at the end of each command, which fails if more than two did.
  retries: 1,
  forbidOnly: Boolean(process.env.CI),
  reporter: [["list"], ["./support/retries-playwright.ts"]],
  use: {
    locale: "ar-SA",
    launchOptions,
  },
  // `npm test` runs the quick ones, `npm run test:slow` the others.
  projects: [
    { name: "quick", testIgnore: slow },
    { name: "slow", testMatch: slow },
  ],
});
