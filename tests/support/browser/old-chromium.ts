import { execFile } from "node:child_process";
import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { createBrotliDecompress } from "node:zlib";
import { type Browser, chromium } from "playwright/test";
import { root } from "#tests/support/spawn-server.ts";
import { launchOptions } from "./chromium.ts";

const project = join(root, "tests/old-browser");
const packed = join(project, "node_modules/@sparticuz/chromium/bin/chromium.br");

/**
 * Starts Chromium 121, which its package unpacks only where no other version is. Installs the package first.
 * Its folder goes when the browser is closed.
 */
export async function startOldChromium(): Promise<Browser> {
  if (!existsSync(packed)) {
    await promisify(execFile)("npm", ["ci", "--ignore-scripts"], { cwd: project });
  }
  const folder = await mkdtemp(join(tmpdir(), "chromium-121-"));
  const executablePath = join(folder, "chromium");
  const program = createWriteStream(executablePath, { mode: 0o755 });
  await pipeline(createReadStream(packed), createBrotliDecompress(), program);
  const browser = await chromium.launch({ ...launchOptions, executablePath });
  browser.on("disconnected", () => void rm(folder, { recursive: true }));
  return browser;
}
