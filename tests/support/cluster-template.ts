import { execFile } from "node:child_process";
import { chmod, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { startEmbedded } from "embedded-supabase";
import { createFolder, ensureCluster, findPaths, openDataDir } from "embedded-supabase/testing";
import { accountLimits } from "#app/server/account-limits.ts";
import { buildWhenNeeded } from "#app/server/pages/build.ts";
import { calls } from "#app/supabase-calls.ts";
import { silentLog } from "./log.ts";

const variable = "TEST_CLUSTERS";
const run = promisify(execFile);

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
  const migrated = join(dataDir, "database/cluster");
  await copy(empty.cluster, migrated);
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
  process.env[variable] = JSON.stringify({ empty: empty.cluster, migrated });
  process.env["NODE_COMPILE_CACHE"] = join(folder, "code");
  return () => rm(folder, { recursive: true, force: true, maxRetries: 10 });
}

/** Copies a cluster with owner and modes into a data folder that has none. */
export async function copyCluster(
  dataDir: string,
  kind: "migrated" | "empty" = "migrated",
): Promise<void> {
  const templates = process.env[variable];
  const cluster = join(await openDataDir(dataDir), "database/cluster");
  if (templates === undefined || (await stat(cluster).catch(() => undefined))) {
    return;
  }
  await copy((JSON.parse(templates) as Record<typeof kind, string>)[kind], cluster);
}

async function copy(template: string, cluster: string): Promise<void> {
  await createFolder(join(cluster, ".."));
  await run("cp", ["-a", template, cluster]);
}
