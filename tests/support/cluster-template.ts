import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbedded } from "embedded-supabase";
import {
  copyEmptyCluster,
  copyMadeCluster,
  ensureCluster,
  findPaths,
  openDataDir,
} from "embedded-supabase/testing";
import { accountLimits } from "#app/server/backend/account-limits.ts";
import { buildWhenNeeded } from "#app/server/pages/build.ts";
import { calls } from "#app/supabase-calls.ts";
import { silentLog } from "./log.ts";

export const migrationsDir = new URL("../../supabase/migrations", import.meta.url).pathname;

/**
 * Creates what all test files share: the build, which sites that start together would make at once; a
 * migrated and an empty cluster, because initdb and the migrations dominate a first start; and a
 * folder for compiled code, which takes a quarter off the CPU of each start.
 */
export default async function setUp(): Promise<() => Promise<void>> {
  await buildWhenNeeded();
  const folder = await mkdtemp(join(tmpdir(), "template-"));
  await chmod(folder, 0o711);
  const empty = await findPaths(await openDataDir(join(folder, "empty")), silentLog);
  await ensureCluster(empty);
  const dataDir = await openDataDir(join(folder, "migrated"));
  process.env["EMPTY_CLUSTER"] = empty.cluster;
  await copyEmptyCluster(dataDir);
  const embedded = await startEmbedded({
    dataDir,
    migrationsDir,
    calls,
    siteUrl: "http://localhost",
    confirmEmail: false,
    limits: accountLimits,
    sendMail: () => undefined,
    onAccountChange: () => undefined,
    log: silentLog,
  });
  await embedded.close();
  process.env["MIGRATED_CLUSTER"] = join(dataDir, "database/cluster");
  process.env["NODE_COMPILE_CACHE"] = join(folder, "code");
  return () => rm(folder, { recursive: true, force: true, maxRetries: 10 });
}

/** Copies the migrated cluster into a data folder that has none. */
export const copyCluster = (dataDir: string) =>
  copyMadeCluster(dataDir, process.env["MIGRATED_CLUSTER"]);
