/** Why the embedded database could not be opened (its EngineError). */
interface Fault {
  code: string;
  message: string;
}

/** Faults of the folder that DATA_DIR names. */
const ofDataDir = new Set(["unusable", "foreign", "in-use", "empty"]);

/** Ends the message's own sentence. */
const throughBackup =
  ": run npm run backup with the version of the site that made it, then npm run restore -- FILE with this one and an empty DATA_DIR.";

/** What the owner can do about it, if the fault itself does not say so. */
const waysOut: Record<string, string> = {
  foreign: " Name an empty one.",
  empty: " If your site has another folder, name it in .env or before the command.",
  unfinished: " Run npm run restore again.",
  keys: " Put the right one back, or restore a backup into an empty DATA_DIR: npm run restore -- FILE.",
  unsupported: " Set SUPABASE_URL to use a hosted Supabase instead.",
  "not-installed":
    " Run npm ci without --omit=optional, or set SUPABASE_URL to use a hosted Supabase.",
  "other-postgres": throughBackup,
  // The versions of 2.0.0 begin after those of 1.0.0.
  "old-schema":
    " Version 1.0.0 of the site made it. Two commands of this version move it: BACKUP_DIR=/a/folder npm run backup copies it into a FILE of that folder, and DATA_DIR=/a/new/folder npm run restore -- FILE fills a new folder, which DATA_DIR names from then on.",
  "changed-migration": throughBackup,
  "missing-migration":
    " Another version of the site made it, probably a newer one: install that version. To go back to this one, run npm run restore -- FILE with the backup from before the update and an empty DATA_DIR.",
};

/** The same for a developer of the site. */
const waysOutInDevelopment: Record<string, string> = {
  "old-schema": " Delete the folder of DATA_DIR (.data) to begin with an empty database.",
  "changed-migration":
    " Undo your change and make it in a new file, or delete the folder of DATA_DIR (.data) to begin with an empty database.",
  "missing-migration":
    " Bring the file back, or delete the folder of DATA_DIR (.data) to begin with an empty database.",
};

/**
 * Returns the sentences for the owner, or in development for a developer: what is wrong, and
 * what to do.
 */
export function databaseFault({ code, message }: Fault, dev = false): string {
  const wayOut = (dev && waysOutInDevelopment[code]) || (waysOut[code] ?? "");
  const fault = wayOut.startsWith(":") ? message.replace(/\.$/, "") : message;
  return `${ofDataDir.has(code) ? "DATA_DIR: " : ""}${fault}${wayOut}`;
}
