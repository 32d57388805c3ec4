import type { ClientBase } from "pg";
import { StartError } from "#app/lib/start-error.ts";
import type { Row } from "./format.ts";
import type { Table } from "./tables.ts";

/** A database with an open transaction. */
export interface Target {
  client: ClientBase;
  isNew: boolean;
  isInboxEmpty: boolean;
}

/** What an owner sets. It comes along when an inbox moves, and stays as it is in one in use. */
const settings = new Set(["private.limits", "private.retention", "private.counting"]);

/**
 * GoTrue finds only accounts of this instance, and fails on null in the columns of codes
 * (supabase/auth, internal/models/user.go).
 */
const userConstants = {
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
  file: string,
  table: Table,
  columns: string[],
  rows: Row[],
): Promise<number> {
  const { client, isNew } = target;
  const statement = statementFor(target, table, columns);
  const add = async (some: Row[]): Promise<number> => {
    const json = `[${some.map((row) => row.json).join()}]`;
    const added = (await client.query(statement, [json])).rowCount ?? 0;
    if (isNew && added < some.length) {
      throw new Error("the row is there twice");
    }
    return added;
  };
  await client.query("savepoint batch");
  try {
    const added = await add(rows);
    await client.query("release batch");
    return added;
  } catch (error) {
    await client.query("rollback to batch");
    for (const row of rows) {
      await add([row]).catch((fault: Error) => {
        throw new StartError(`${file}, line ${row.line}: ${fault.message}`, { cause: fault });
      });
    }
    throw error;
  }
}

/** The names are the catalog's and this file's, the rows are one parameter. */
function statementFor({ isNew, isInboxEmpty }: Target, table: Table, names: string[]): string {
  const { name, quoted, columns, key, references } = table;
  const given = names.flatMap((column) => columns.get(column) ?? []);
  const fixed = name === "auth.users" ? userConstants : {};
  const changes = given
    .filter((column) => !key.includes(column))
    .map((column) => `${column} = excluded.${column}`);
  // In a new database are rows of the migrations, such as limits.
  const replaces = isNew || (isInboxEmpty && settings.has(name));
  const onConflict =
    replaces && key.length > 0 && changes.length > 0
      ? `(${key.join()}) do update set ${changes.join()}`
      : "do nothing";
  const conditions = isNew || references.length === 0 ? "" : `where ${references.join(" and ")}`;
  return `insert into ${quoted} (${[...given, ...Object.keys(fixed)].join()})
    select ${[...given, ...Object.values(fixed)].join()}
    from json_populate_recordset(null::${quoted}, $1::text::json) given ${conditions}
    on conflict ${onConflict}`;
}
