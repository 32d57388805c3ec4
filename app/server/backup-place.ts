import type { Env } from "./settings.ts";

interface BackupPlace {
  folder: string;
  site: string;
}

/** The folder of the backups and the name of the site in them; undefined without BACKUP_DIR. */
export function backupPlace(env: Env): BackupPlace | undefined {
  const { host } = new URL(env.SITE_URL ?? `http://localhost:${env.PORT}`);
  return env.BACKUP_DIR === undefined
    ? undefined
    : { folder: env.BACKUP_DIR, site: host.replaceAll(/[^\w.]+/g, "-") };
}
