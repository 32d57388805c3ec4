import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chown, mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { renameDurably } from "./durable-file.ts";
import type { Paths } from "./paths.ts";
import { StartError } from "./start-error.ts";

/** The finished cluster: `data` for Postgres, `superuser-password` for bootstrap. */
export function clusterFolder(home: string): string {
  return join(home, "cluster");
}

/**
 * Makes the cluster (UTF-8, collation C.UTF-8 of PostgreSQL itself, scram) unless it is there.
 * It is made beside and renamed when whole, so that a kill at any moment leaves either none or
 * a working one; halves left by earlier kills are removed. Fails with StartError.
 */
export async function ensureCluster(paths: Paths): Promise<void> {
  await removeHalves(paths.home);
  const cluster = clusterFolder(paths.home);
  if (await stat(cluster).catch(() => undefined)) return;
  const beside = `${cluster}.new-${randomBytes(4).toString("hex")}`;
  const passwordFile = join(beside, "superuser-password");
  await mkdir(beside, { mode: 0o700 });
  await writeFile(passwordFile, randomBytes(24).toString("base64url"), {
    mode: 0o600,
    flush: true,
  });
  for (const path of [beside, passwordFile]) await chown(path, paths.user.uid, paths.user.gid);
  await runInitdb(paths, join(beside, "data"), passwordFile);
  await renameDurably(beside, cluster);
}

async function removeHalves(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    // An initdb orphaned by the kill may still be writing into its folder, hence the retries.
    if (name.startsWith("cluster.new-"))
      await rm(join(home, name), { recursive: true, force: true, maxRetries: 20 });
  }
}

async function runInitdb(paths: Paths, data: string, passwordFile: string): Promise<void> {
  const args = [
    `--pgdata=${data}`,
    "--username=supabase_admin",
    `--pwfile=${passwordFile}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--no-instructions",
  ];
  const child = spawn(join(paths.binaries, "bin/initdb"), args, {
    ...paths.user,
    cwd: paths.home,
    env: { PATH: "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let faults = "";
  child.stderr.on("data", (chunk: Buffer) => (faults += chunk.toString()));
  const status = await new Promise<number | string>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("close", (code, signal) => resolve(code ?? signal ?? "unknown"));
  });
  if (status !== 0)
    throw new StartError(`The database could not be made (initdb: ${status}): ${lastLine(faults)}`);
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1) ?? "";
}
