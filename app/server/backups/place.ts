import { existsSync, statSync } from "node:fs";
import { StartError } from "#app/lib/start-error.ts";
import type { Env } from "#app/server/settings.ts";

export interface BackupPlace {
  folder: string;
  /** Prefix of the names. The folder may hold backups of other sites. */
  site: string;
}

/**
 * The folder of the backups and the name of the site in them; undefined without BACKUP_DIR.
 * @throws {StartError} if it is not a folder
 */
export function backupPlace(env: Env): BackupPlace | undefined {
  const { host } = new URL(env.SITE_URL ?? `http://localhost:${env.PORT}`);
  const folder = env.BACKUP_DIR;
  if (folder === undefined) {
    return undefined;
  }
  if (existsSync(folder) && !statSync(folder).isDirectory()) {
    throw new StartError(`BACKUP_DIR is wrong: ${folder} is not a folder`);
  }
  return { folder, site: host.replaceAll(/[^\w.]+/g, "-") };
}
