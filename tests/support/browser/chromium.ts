import { existsSync } from "node:fs";
import sparticuz from "@sparticuz/chromium";

const installed = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** An installed Chromium if there is one, else the one that comes from npm. */
export async function browserPath(): Promise<string> {
  return installed.find((path) => existsSync(path)) ?? (await sparticuz.executablePath());
}

/** Tests use loopback only: nothing of the browser's own may try to reach further. */
export const browserFlags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];
