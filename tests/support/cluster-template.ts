import { execFile } from "node:child_process";
import { chmod, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ensureCluster } from "#embedded/engine/initdb.ts";
import { createFolder, findPaths, openDataDir } from "#embedded/engine/paths.ts";
import { silentLog } from "./log.ts";

const variable = "TEST_CLUSTER";
const run = promisify(execFile);

/**
 * Creates what all test files share: an empty cluster, because initdb dominates a first start, and a
 * folder for compiled code, which takes a quarter off the CPU of each start.
 */
export default async function setUp(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "template-"));
  await chmod(folder, 0o711);
  const paths = await findPaths(await openDataDir(join(folder, "data")), silentLog);
  await ensureCluster(paths);
  process.env[variable] = paths.cluster;
  process.env["NODE_COMPILE_CACHE"] = join(folder, "code");
  return () => rm(folder, { recursive: true, force: true });
}

/** Copies the empty cluster with owner and modes into a data folder that has none. */
export async function copyCluster(dataDir: string): Promise<void> {
  const template = process.env[variable];
  const database = join(await openDataDir(dataDir), "database");
  const cluster = join(database, "cluster");
  if (template === undefined || (await stat(cluster).catch(() => undefined))) {
    return;
  }
  await createFolder(database);
  await run("cp", ["-a", template, cluster]);
}
