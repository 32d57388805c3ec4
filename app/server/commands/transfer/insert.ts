import { type ClientBase, escapeIdentifier } from "pg";
import { StartError } from "#app/lib/start-error.ts";
import type { Row } from "./format.ts";
import type { Table } from "./tables.ts";

/** A database with an open transaction. */
export interface Target {
  client: ClientBase;
  /** The file whose rows it gets. */
  file: string;
  isNew: boolean;
  isInboxEmpty: boolean;
}

/** What an owner sets. It comes along when an inbox moves, and stays as it is in one in use. */
const settings = new Set(["private.limits", "private.retention", "private.counting"]);

/**
 * Whatever a file says. GoTrue signs tokens for the role of the account, finds only accounts of this
 * instance, and fails on null in the columns of codes (supabase/auth, internal/models/user.go).
 */
const userConstants = {
  aud: "'authenticated'",
  role: "'authenticated'",
  instance_id: "'00000000-0000-0000-0000-000000000000'",
  confirmation_token: "''",
  recovery_token: "''",
  email_change_token_new: "''",
  email_change: "''",
};

/**
 * Inserts rows that all have the same columns of a table. Returns how many were added.
 * @throws {StartError} with the line of the first row that cannot be stored
 */
export async function insertRows(
  target: Target,
  table: Table,
  columns: string[],
  rows: Row[],
): Promise<number> {
  const { client, file } = target;
  await client.query("savepoint batch");
  try {
    const json = `[${rows.map((row) => row.json).join()}]`;
    const { rowCount } = await client.query(statementFor(target, table, columns), [json]);
    await client.query("release batch");
    return rowCount ?? 0;
  } catch (error) {
    await client.query("rollback to batch");
    const [row, ...others] = rows;
    if (row && others.length === 0) {
      const { message } = error as Error;
      throw new StartError(`${file}, line ${row.line}: ${message}`, { cause: error });
    }
    for (const each of rows) {
      await insertRows(target, table, columns, [each]);
    }
    throw error;
  }
}

/** The names are the catalog's and this file's, the rows are one parameter. */
function statementFor({ isNew, isInboxEmpty }: Target, table: Table, columns: string[]): string {
  const { name, key, references } = table;
  const fixed = name === "auth.users" ? userConstants : {};
  const given = columns.filter((column) => !Object.hasOwn(fixed, column)).map(escapeIdentifier);
  const changes = columns
    .filter((column) => !key.includes(column))
    .map((column) => `${escapeIdentifier(column)} = excluded.${escapeIdentifier(column)}`);
  // In a new database are rows of the migrations, such as limits.
  const replaces = isNew || (isInboxEmpty && settings.has(name));
  const onConflict =
    replaces && key.length > 0 && changes.length > 0
      ? `(${key.map(escapeIdentifier).join()}) do update set ${changes.join()}`
      : "do nothing";
  return `insert into ${name} (${[...given, ...Object.keys(fixed)].join()})
    select ${[...given, ...Object.values(fixed)].join()}
    from json_populate_recordset(null::${name}, $1::text::json) given
    where ${["true", ...references].join(" and ")}
    on conflict ${onConflict}`;
}
