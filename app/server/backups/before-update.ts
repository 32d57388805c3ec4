import { log } from "#app/lib/log.server.ts";
import { StartError } from "#app/lib/start-error.ts";
import { type BackupPlace, listBackups } from "./files.ts";
import { runBackup } from "./nightly.ts";

/** A start that fails is repeated every two seconds, and would fill the disk with backups. */
const freshMs = 10 * 60_000;

/**
 * Makes a backup of a database that gets new migrations, unless one was made just now. The database
 * can be opened by commands. @throws {StartError} if it fails
 */
export async function backUpBeforeUpdate(place: BackupPlace | undefined): Promise<void> {
  if (place === undefined) {
    log.warn("The database gets new migrations, and is not backed up: BACKUP_DIR is not set");
    return;
  }
  const now = Date.now();
  // One from the future was made while the clock was wrong.
  const last = (await listBackups(place)).find(({ at }) => at.getTime() <= now);
  if (last && now - last.at.getTime() < freshMs) {
    log.info("The last backup is fresh: it is the one before the update", { file: last.path });
    return;
  }
  const reason = await runBackup("The backup before the update");
  if (reason !== undefined) {
    throw new StartError(
      `${reason} The database is as it was: mend this, or unset BACKUP_DIR to update without a backup.`,
    );
  }
}
