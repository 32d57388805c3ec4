import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { type ClientBase, escapeIdentifier } from "pg";
import manifest from "#package.json" with { type: "json" };
import { type Batch, readCopy, writeCopy } from "./format.ts";
import { newestMigration } from "./migrations.ts";
import { copiedTables, sessionTables, type Table } from "./tables.ts";

/** A batch of the longest messages has 3 MB. */
const batchRows = 100;

/**
 * On a hosted Supabase an account can make these values as long as it wants (supabase/auth,
 * internal/api/signup.go). Nothing reads the values that are left out.
 */
const bounded: Record<string, string> = {
  raw_user_meta_data: `case when octet_length(raw_user_meta_data::text) <= 65536
    then raw_user_meta_data else '{}' end as raw_user_meta_data`,
  identity_data: `case when octet_length(identity_data::text) <= 65536 then identity_data else (
    select jsonb_object_agg(key, value) from jsonb_each(identity_data)
    where key in ('sub', 'email', 'email_verified') and octet_length(value::text) <= 1000
  ) end as identity_data`,
};

interface Source {
  client: ClientBase;
  /** Names the secrets of the database. */
  keys: string;
  /** The text of keys.json; undefined for an outside Supabase, whose sessions do not come along. */
  keyFile: string | undefined;
}

/**
 * Copies all rows of one moment to a file, while the site runs or not. It is written beside its path, and
 * renamed when it is complete, on the disk, and read again to its last line.
 * @throws {StartError} if the database does not have the tables of this site
 * @throws errors of the file system and of PostgreSQL
 */
export async function saveCopy(
  source: Source,
  path: string,
  passphrase: string | undefined,
): Promise<void> {
  const unfinished = `${path}.new`;
  try {
    // A run that was killed has left it.
    await rm(unfinished, { force: true });
    await dump(source, unfinished, passphrase);
    await readCopy(unfinished, passphrase);
    await rename(unfinished, path);
    // The new name survives a power failure.
    const folder = await open(dirname(path), "r");
    await folder.sync().finally(() => folder.close());
  } finally {
    await rm(unfinished, { force: true });
  }
}

async function dump(
  { client, keys, keyFile }: Source,
  file: string,
  passphrase: string | undefined,
): Promise<void> {
  await client.query("begin isolation level repeatable read read only");
  try {
    await client.query(
      `set local time zone 'UTC'; set local bytea_output = hex; set local intervalstyle = postgres;
      set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0`,
    );
    const tables = [...(await copiedTables(client)).values()].filter(
      ({ name }) => keyFile !== undefined || !sessionTables.has(name),
    );
    let rows = 0;
    for (const table of tables) {
      const counted = await client.query(`select count(*)::int as count ${rowsOf(table)}`);
      rows += counted.rows[0].count;
    }
    const migration = await newestMigration(client);
    const time = new Date().toISOString();
    await writeCopy(file, passphrase, {
      header: { format: 2, version: manifest.version, migration, time, keys, rows },
      keys: keyFile,
      batches: read(client, tables),
    });
  } finally {
    // Nothing was changed. This also ends a transaction in which a statement failed.
    await client.query("rollback").catch(() => undefined);
  }
}

async function* read(client: ClientBase, tables: Table[]): AsyncGenerator<Batch> {
  for (const table of tables) {
    const columns = table.columns.map((column) => bounded[column] ?? escapeIdentifier(column));
    await client.query(
      `declare copied no scroll cursor for
      select row_to_json(r)::text from (select ${columns.join(", ")} ${rowsOf(table)}) r`,
    );
    const fetch = { text: `fetch ${batchRows} from copied`, rowMode: "array" as const };
    let rows: string[] = [];
    do {
      const batch = await client.query<[string]>(fetch);
      rows = batch.rows.map(([json]) => json);
      yield { table: table.name, rows };
    } while (rows.length === batchRows);
    await client.query("close copied");
  }
}

const rowsOf = ({ name }: Table) =>
  `from ${name} ${name === "auth.mfa_factors" ? "where status = 'verified'" : ""}`;
