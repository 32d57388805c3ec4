import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  access,
  constants as modes,
  glob,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { z } from "zod";
import { log } from "#app/lib/log.server.ts";
import { StartError } from "#app/lib/start-error.ts";
import { projectRoot } from "#app/server/settings.ts";

const output = "build/server/index.js";
const builderFile = "node_modules/.bin/react-router";
const sources = [
  "app/**/*",
  // The account page shows them.
  ".github/{BACKUPS,DEPLOY}.md",
  "public/**/*",
  "*.config.ts",
  "package.json",
  "package-lock.json",
];
const assets = "build/client/assets";
const lastAssets = "build/assets.json";
const compressible = "build/client/**/*.{js,svg,txt,css}";

/**
 * Builds the pages if there is no build or a source is newer. Where that is not possible, an older
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

/** Writes a brotli and a gzip copy of every text file of the build. */
export async function compressAssets(): Promise<void> {
  for await (const file of glob(compressible, { cwd: projectRoot })) {
    const path = join(projectRoot, file);
    const bytes = await readFile(path);
    const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
    await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes, quality));
    await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }));
  }
}

/** Keeps the assets of the previous build, which open pages load at the first touch. */
export async function dropOldAssets(): Promise<void> {
  const list = join(projectRoot, lastAssets);
  const last = await readFile(list, "utf8").catch(() => "[]");
  const kept = new Set(z.array(z.string()).parse(JSON.parse(last)));
  const built: string[] = [];
  for (const name of await readdir(join(projectRoot, assets))) {
    const file = join(assets, name);
    if ((await modified(file)) >= performance.timeOrigin) {
      built.push(name, `${name}.br`, `${name}.gz`);
    } else if (!kept.has(name)) {
      await rm(join(projectRoot, file));
    }
  }
  await writeFile(list, JSON.stringify(built));
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
