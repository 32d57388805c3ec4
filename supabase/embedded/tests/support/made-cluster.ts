import { execFile } from "node:child_process";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { createFolder, openDataDir } from "#embedded/engine/paths.ts";

const run = promisify(execFile);

/** Copies a cluster with owner and modes into a data folder that has none. */
export async function copyMadeCluster(dataDir: string, made: string | undefined): Promise<void> {
  const cluster = join(await openDataDir(dataDir), "database/cluster");
  if (made === undefined || (await stat(cluster).catch(() => undefined))) {
    return;
  }
  await createFolder(join(cluster, ".."));
  await run("cp", ["-a", made, cluster]);
}

/** Copies the one of EMPTY_CLUSTER, if there is one: initdb takes seconds. */
export const copyEmptyCluster = (dataDir: string) =>
  copyMadeCluster(dataDir, process.env["EMPTY_CLUSTER"]);
