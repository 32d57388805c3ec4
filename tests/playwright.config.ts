import { defineConfig } from "playwright/test";
import { useMemoryFolder } from "./support/memory-folder.ts";

// Before the browser is unpacked.
useMemoryFolder();
const { launchOptions } = await import("./support/browser/chromium.ts");

/**
 * Files that show nothing else without scripts, as single tests with @scripts or @once. Forms whose
 * page needs no look are sent without scripts by tests/site and tests/security, over HTTP.
 */
const once = [
  "accessibility",
  "account-page",
  "budgets",
  "composition",
  "cut-connections",
  "live-faults",
  "media",
  "notes",
  "owner",
  "place",
  "promise",
  "reflow",
  "search-looks",
  "sessions",
  "sign-out",
  "slips",
  "toasts",
  "tree",
];

const onceFiles = once.map((name) => `**/${name}?(.slow).test.ts`);
const slow = "**/*.slow.test.ts";
const withScripts = { grepInvert: /@plain/ };
const withoutScripts = {
  grepInvert: /@scripts|@once/,
  testIgnore: onceFiles,
  use: { javaScriptEnabled: false },
};

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
    launchOptions: await launchOptions(),
  },
  // `npm test` runs the quick ones, `npm run test:slow` the others.
  projects: [
    { name: "quick with scripts", testIgnore: slow, ...withScripts },
    { name: "quick without scripts", ...withoutScripts, testIgnore: [slow, ...onceFiles] },
    { name: "slow with scripts", testMatch: slow, ...withScripts },
    { name: "slow without scripts", testMatch: slow, ...withoutScripts },
    {
      name: "slow with narrow letters",
      // Only where something can be too small or too low: what fits with wide letters fits with these.
      grep: /@layout|(composition|density\.slow)\.test/,
      grepInvert: /keyboard|axe/,
      use: { launchOptions: await launchOptions("narrow") },
    },
  ],
});
