import { lchown, stat } from "node:fs/promises";
import { constants, setPriority } from "node:os";
import { StartError } from "#app/lib/start-error.ts";
import {
  backupPath,
  backupPlace,
  openBackupFolder,
  sweepBackups,
} from "#app/server/backups/backup-files.ts";
import { openOwnDatabase } from "./own-database.ts";
import { runCommand } from "./run-command.ts";
import { saveCopy } from "./transfer/save.ts";

await runCommand(async (env) => {
  const place = backupPlace(env);
  if (place === undefined) {
    throw new StartError("Set BACKUP_DIR to the folder for backups, best on another disk.");
  }
  // Visitors need the same processors.
  setPriority(constants.priority.PRIORITY_LOW);
  await using database = await openOwnDatabase(env);
  await openBackupFolder(place);
  let path: string;
  try {
    path = backupPath(place, new Date(), { isEncrypted: env.BACKUP_PASSPHRASE !== undefined });
    await saveCopy(database, path, env.BACKUP_PASSPHRASE);
    if (process.getuid?.() === 0) {
      // What root makes belongs to the owner of the folder, who may have to restore it.
      const { uid, gid } = await stat(place.folder);
      await lchown(path, uid, gid);
    }
  } catch (cause) {
    const { message } = cause as Error;
    throw new StartError(`The backup could not be written to ${place.folder}: ${message}`, {
      cause,
    });
  }
  const { size } = await stat(path);
  const shownSize = size < 1e6 ? `${Math.ceil(size / 1e3)} kB` : `${(size / 1e6).toFixed(1)} MB`;
  console.log(`${path} is complete and verified, ${shownSize}.`);
  const deleted = await sweepBackups(place, path);
  if (deleted > 0) {
    console.log(
      `${deleted} older backups were deleted. The last one of each of the 35 newest days stays, and all of today.`,
    );
  }
});
