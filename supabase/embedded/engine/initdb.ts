import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmod, chown, mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { renameDurably } from "./durable-file.ts";
import { EngineError } from "./engine-error.ts";
import { dataArgument, postgresEnvironment, type Paths } from "./paths.ts";
import { isRoot } from "./system-user.ts";

/** Creates the cluster and renames it into place when complete. Throws EngineError. */
export async function ensureCluster(paths: Paths): Promise<void> {
  await removeIncomplete(paths.database);
  if (await stat(paths.cluster).catch(() => undefined)) {
    return;
  }
  const incomplete = `${paths.cluster}.new-${randomBytes(4).toString("hex")}`;
  const data = join(incomplete, "data");
  const password = join(incomplete, "superuser-password");
  await mkdir(data, { recursive: true });
  await writeFile(password, randomBytes(24).toString("base64url"), { mode: 0o600, flush: true });
  // initdb reads the password as `../superuser-password`.
  await chmod(incomplete, isRoot() ? 0o711 : 0o700);
  await chmod(data, 0o700);
  for (const path of [data, password]) {
    await chown(path, paths.user.uid, paths.user.gid);
  }
  await runInitdb(paths, data);
  await renameDurably(incomplete, paths.cluster);
}

async function removeIncomplete(database: string): Promise<void> {
  for (const name of await readdir(database)) {
    if (name.startsWith("cluster.new-")) {
      // Retries, because an initdb of a killed site may still be writing.
      await rm(join(database, name), { recursive: true, force: true, maxRetries: 20 });
    }
  }
}

async function runInitdb(paths: Paths, data: string): Promise<void> {
  const args = [
    `--pgdata=${dataArgument(data)}`,
    "--username=supabase_admin",
    "--pwfile=../superuser-password",
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--no-instructions",
  ];
  const child = spawn(join(paths.binaries, "bin/initdb"), args, {
    ...paths.user,
    cwd: data,
    env: postgresEnvironment,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let output = "";
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const status = await new Promise<number | string>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("close", (code, signal) => resolve(code ?? signal ?? "unknown"));
  });
  if (status !== 0) {
    throw new EngineError(
      "failed",
      `The database could not be created (initdb: ${status}): ${lastLines(output)}`,
    );
  }
}

/** Returns the last lines before those about the cleanup. */
function lastLines(output: string): string {
  const lines = output.split("\n").filter((line) => line && !line.startsWith("initdb: removing"));
  return lines.slice(-3).join(" | ");
}
