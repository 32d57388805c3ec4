import { existsSync } from "node:fs";
import sparticuz from "@sparticuz/chromium";

const installed = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Returns CHROME_PATH if set, else an installed Chromium, else the npm package's. */
export async function browserPath(): Promise<string> {
  return (
    process.env["CHROME_PATH"] ??
    installed.find((path) => existsSync(path)) ??
    (await sparticuz.executablePath())
  );
}

/** Tests use only loopback. These flags keep the browser's services from connecting elsewhere. */
export const browserFlags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];
