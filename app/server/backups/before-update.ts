import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { log } from "#app/lib/log.server.ts";
import { StartError } from "#app/lib/start-error.ts";
import type { BackupPlace } from "./backup-files.ts";
import { runBackup } from "./nightly.ts";

/**
 * Names the migrations before which a backup was made. A start that fails is repeated every two seconds,
 * and would fill the disk with backups. A start that opens the database removes it: from then on messages
 * come in, which that backup does not have.
 */
const marker = (dataDir: string) => join(dataDir, "backed-up-before");

/**
 * Makes a backup of a database that is about to get new migrations, unless one was made before the same
 * migrations. Commands can open the database. @throws {StartError} if it fails
 */
export async function backUpBeforeUpdate(
  place: BackupPlace | undefined,
  dataDir: string,
  migrations: string[],
): Promise<void> {
  if (place === undefined) {
    log.warn("The database gets new migrations, and is not backed up: BACKUP_DIR is not set");
    return;
  }
  const names = `${migrations.join("\n")}\n`;
  if ((await readFile(marker(dataDir), "utf8").catch(() => "")) === names) {
    log.info("An earlier start has already made the backup before this update");
    return;
  }
  const reason = await runBackup("The backup before the update");
  if (reason !== undefined) {
    throw new StartError(
      `${reason} The database is as it was: fix this, or unset BACKUP_DIR to update without a backup.`,
    );
  }
  await writeFile(marker(dataDir), names);
}

/** Called when the database is open, before the first request: the next update needs a backup again. */
export const forgetBackup = (dataDir: string): Promise<void> =>
  rm(marker(dataDir), { force: true });
