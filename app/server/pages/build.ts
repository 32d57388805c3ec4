import { spawn } from "node:child_process";
import { once } from "node:events";
import { access, constants as modes, glob, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress } from "node:zlib";
import { log } from "#app/lib/log.server.ts";
import { StartError } from "#app/lib/start-error.ts";
import { projectRoot } from "#app/server/settings.ts";

const output = "build/server/index.js";
const builderFile = "node_modules/.bin/react-router";
const sources = [
  "app/**/*",
  // The account page shows them.
  ".github/{BACKUPS,DEPLOY,OWNER.ar}.md",
  "public/**/*",
  "*.config.ts",
  "package.json",
  "package-lock.json",
];
const assets = "build/client/assets";
const keptMs = 30 * 24 * 60 * 60 * 1000;

/**
 * Builds the pages if there is no build or a source is newer. If that is not possible, an older
 * build is used, with a warning: without the development packages, or in a folder that is read-only.
 * @throws {StartError} if there is no build and none can be made
 */
export async function buildWhenNeeded(): Promise<void> {
  const built = await modified(output);
  if (built > 0 && built >= (await newest(sources))) {
    return;
  }
  const hasBuilder = (await modified(builderFile)) > 0;
  if (built > 0 && !(hasBuilder && (await isWritable()))) {
    log.warn(
      `The pages are older than their sources, and cannot be built here (${hasBuilder ? "the folder is read-only" : "the packages for it are missing"}): the site serves the old ones. Run npm ci --include=dev && npm run build as the owner of the folder.`,
    );
    return;
  }
  if (!hasBuilder) {
    throw new StartError(
      "The pages are not built, and the packages that build them are not installed (npm ci --omit=dev, or NODE_ENV=production): run npm ci --include=dev && npm run build, or bring the folder build from where that was done.",
    );
  }
  log.info("Building the pages…");
  const builder = spawn(process.execPath, [builderFile, "build"], {
    cwd: projectRoot,
    env: { ...process.env, NODE_ENV: "production" },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [code] = await once(builder, "exit");
  if (code !== 0) {
    throw new StartError("The pages could not be built; see the error above.");
  }
}

/**
 * Writes a brotli copy of each script and style sheet of the build. Open pages load those of earlier
 * builds, which stay for a month.
 */
export async function finishBuild(): Promise<void> {
  for await (const file of glob(`${assets}/*`, { cwd: projectRoot })) {
    const path = join(projectRoot, file);
    if ((await modified(file)) < Date.now() - keptMs) {
      await rm(path);
    } else if (/\.(js|css)$/.test(file) && (await modified(`${file}.br`)) === 0) {
      // Brotli's default quality is the best one.
      await writeFile(`${path}.br`, await promisify(brotliCompress)(await readFile(path)));
    }
  }
}

/** Whether the build and Vite's files can be written. */
async function isWritable(): Promise<boolean> {
  const folders = ["build", "node_modules"].map((name) => join(projectRoot, name));
  const checks = folders.map((folder) => access(folder, modes.W_OK));
  return (await Promise.allSettled(checks)).every(({ status }) => status === "fulfilled");
}

async function newest(patterns: string[]): Promise<number> {
  let latest = 0;
  for await (const file of glob(patterns, { cwd: projectRoot })) {
    latest = Math.max(latest, await modified(file));
  }
  return latest;
}

async function modified(file: string): Promise<number> {
  const stats = await stat(join(projectRoot, file)).catch(() => undefined);
  return stats?.mtimeMs ?? 0;
}
