import { existsSync } from "node:fs";
import sparticuz from "@sparticuz/chromium";

const installed = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Returns CHROME_PATH if it is set, else an installed Chromium, else the one of the npm package. */
export async function browserPath(): Promise<string> {
  return (
    process.env["CHROME_PATH"] ??
    installed.find((path) => existsSync(path)) ??
    (await sparticuz.executablePath())
  );
}

/** Tests use loopback only: the browser's own services must not connect elsewhere. */
export const browserFlags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];
