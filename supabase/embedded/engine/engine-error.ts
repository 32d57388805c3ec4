/**
 * Why a database could not be opened. Faults of the folder: `unusable` (its files or rights), `foreign` (it has
 * other things in it), `in-use`, `empty` (no database), `unfinished` (makeDatabase was interrupted),
 * `keys` (its key file). Faults of the system: `unsupported`, `not-installed` (no package of PostgreSQL).
 * Faults of another version: `other-postgres`, `old-schema` (all its migrations are older than the first file),
 * `changed-migration`, `missing-migration` (one that it has).
 * `failed`: any other.
 */
export type EngineFault =
  | "unusable"
  | "foreign"
  | "in-use"
  | "empty"
  | "unfinished"
  | "keys"
  | "unsupported"
  | "not-installed"
  | "other-postgres"
  | "old-schema"
  | "changed-migration"
  | "missing-migration"
  | "failed";

/**
 * A start that failed for a reason that the owner can mend. The message says what is wrong; the
 * caller tells by the code what the owner can do about it.
 */
export class EngineError extends Error {
  override name = "EngineError";
  readonly code: EngineFault;

  constructor(code: EngineFault, message: string) {
    super(message);
    this.code = code;
  }
}

/** Returns the message of any thrown value. */
export function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
