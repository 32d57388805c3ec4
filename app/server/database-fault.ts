/** Why the embedded database could not be opened (its EngineError). */
interface Fault {
  code: string;
  message: string;
}

/** Faults of the folder that DATA_DIR names. */
const ofDataDir = new Set(["unusable", "foreign", "in-use", "empty"]);

/** What the owner can do about it, where the fault does not say so itself. */
const waysOut: Record<string, string> = {
  foreign: " Name an empty one.",
  empty: " If your site has another folder, name it in .env or before the command.",
  unfinished: " Run npm run restore again.",
  keys: " Restore it from a backup, or delete its folder to begin with an empty database.",
  unsupported: " Set SUPABASE_URL to use a hosted Supabase instead.",
  "not-installed":
    " Run npm ci without --omit=optional, or set SUPABASE_URL to use a hosted Supabase.",
  "other-version":
    " Run npm run backup with the version of the site that made it, then npm run restore -- FILE with this one and an empty DATA_DIR.",
  "missing-migration": " Restore it, or start the newer version of the site that has it.",
};

/** Returns the sentences for the owner: what is wrong, and what to do. */
export const databaseFault = ({ code, message }: Fault): string =>
  `${ofDataDir.has(code) ? "DATA_DIR: " : ""}${message}${waysOut[code] ?? ""}`;
