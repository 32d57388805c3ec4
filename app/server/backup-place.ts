import type { Env } from "./settings.ts";

interface BackupPlace {
  folder: string;
  site: string;
}

/** Where the site's backups are, named after its host; undefined if they are not set up. */
export function backupPlace(env: Env): BackupPlace | undefined {
  const { host } = new URL(env.SITE_URL ?? `http://localhost:${env.PORT}`);
  return env.BACKUP_DIR === undefined
    ? undefined
    : { folder: env.BACKUP_DIR, site: host.replaceAll(/[^\w.]+/g, "-") };
}
