import { existsSync } from "node:fs";
import sparticuz from "@sparticuz/chromium";
import type { LaunchOptions } from "playwright/test";

const installed = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Returns CHROME_PATH if set, else an installed Chromium, else the npm package's. */
async function browserPath(): Promise<string> {
  return (
    process.env["CHROME_PATH"] ??
    installed.find((path) => existsSync(path)) ??
    (await sparticuz.executablePath())
  );
}

/**
 * Returns how Playwright launches the browser.
 * @param fonts the only fonts that the browser has: of a machine's own fonts it sees none. `wide` is
 * the site's own Noto Sans Arabic; `narrow` is Markazi Text, whose letters take a third less.
 */
export async function launchOptions(fonts: "wide" | "narrow" = "wide"): Promise<LaunchOptions> {
  const config = new URL(`fonts/${fonts}.conf`, import.meta.url).pathname;
  return {
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
    env: { ...process.env, FONTCONFIG_FILE: config },
  };
}
