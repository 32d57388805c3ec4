import { spawnSync } from "node:child_process";
import sparticuz from "@sparticuz/chromium";
import type { LaunchOptions } from "playwright/test";

const installed = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

const starts = (path: string) => spawnSync(path, ["--version"]).status === 0;

/**
 * Returns CHROME_PATH if set, else the npm package's Chromium, so that the tests see the same browser
 * everywhere, in half the time of a full one. Where it lacks a library or is for another system: an
 * installed one.
 */
async function browserPath(): Promise<string> {
  const own = process.env["CHROME_PATH"];
  if (own !== undefined) {
    return own;
  }
  const packaged = await sparticuz.executablePath();
  return [packaged, ...installed].find(starts) ?? packaged;
}

/** How Playwright launches the browser. Of a machine's fonts it sees none, but the site's own alone. */
export const launchOptions: LaunchOptions = {
  executablePath: await browserPath(),
  // Tests use only loopback. Most flags keep the browser's services from connecting elsewhere.
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
  ],
  env: {
    ...process.env,
    FONTCONFIG_FILE: new URL("fonts.conf", import.meta.url).pathname,
  },
};
