/**
 * Why a database could not be opened. Faults of the folder are `unusable` (its files or rights), `foreign`
 * (it has other things in it), `in-use`, `empty` (it has no database), `unfinished` (makeDatabase was
 * interrupted) and `keys` (its key file). Faults of the system are `unsupported` and `not-installed` (there
 * is no package of PostgreSQL). Faults of another version are `other-postgres`, `old-schema` (all migrations
 * of the database are older than the first file), `changed-migration` and `missing-migration` (a migration of
 * the database has no file). All others are `failed`.
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
 * A start that failed for a reason that the owner can mend. The message says what is wrong. By the code the
 * caller knows what the owner can do about it.
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
