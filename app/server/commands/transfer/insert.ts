import type { ClientBase } from "pg";
import { StartError } from "#app/lib/start-error.ts";
import type { Row } from "./format.ts";
import type { Table } from "./tables.ts";

export interface Outcome {
  added: number;
  skipped: number;
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

/** Inserts rows in a transaction. */
export class Inserter {
  readonly #client: ClientBase;
  readonly #isNew: boolean;
  readonly #isInboxEmpty: boolean;

  constructor(client: ClientBase, isNew: boolean, isInboxEmpty: boolean) {
    this.#client = client;
    this.#isNew = isNew;
    this.#isInboxEmpty = isInboxEmpty;
  }

  /**
   * Inserts rows that all have the same columns of a table.
   * @throws {StartError} with the line of the first row that cannot be stored
   */
  async insert(file: string, table: Table, columns: string[], rows: Row[]): Promise<Outcome> {
    const statement = this.#statement(table, columns);
    const add = async (some: Row[]): Promise<Outcome> => {
      const json = `[${some.map((row) => row.json).join()}]`;
      const added = (await this.#client.query(statement, [json])).rowCount ?? 0;
      if (this.#isNew && added < some.length) {
        throw new Error("the row is there twice");
      }
      return { added, skipped: some.length - added };
    };
    await this.#client.query("savepoint batch");
    try {
      const outcome = await add(rows);
      await this.#client.query("release batch");
      return outcome;
    } catch (error) {
      await this.#client.query("rollback to batch");
      for (const row of rows) {
        await add([row]).catch((fault: Error) => {
          throw new StartError(`${file}, line ${row.line}: ${fault.message}`, { cause: fault });
        });
      }
      throw error;
    }
  }

  /** The names are the catalog's and this file's, the rows are one parameter. */
  #statement({ name, quoted, columns: known, key, references }: Table, columns: string[]): string {
    const given = columns.flatMap((column) => known.get(column) ?? []);
    const fixed = name === "auth.users" ? userConstants : {};
    const changed = given.filter((column) => !key.includes(column));
    const replaces = this.#isNew || (this.#isInboxEmpty && settings.has(name));
    const onConflict =
      replaces && key.length > 0 && changed.length > 0
        ? `(${key.join()}) do update set ${changed.map((column) => `${column} = excluded.${column}`).join()}`
        : "do nothing";
    const conditions =
      this.#isNew || references.length === 0 ? "" : `where ${references.join(" and ")}`;
    return `insert into ${quoted} (${[...given, ...Object.keys(fixed)].join()})
      select ${[...given, ...Object.values(fixed)].join()}
      from json_populate_recordset(null::${quoted}, $1::text::json) given ${conditions}
      on conflict ${onConflict}`;
  }
}
