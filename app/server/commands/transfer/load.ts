import type { ClientBase } from "pg";
import { StartError } from "#app/lib/start-error.ts";
import { type Header, readCopy, type Row } from "./format.ts";
import { insertRows, type Target } from "./insert.ts";
import { knownMigrations } from "./migrations.ts";
import type { Progress } from "./progress.ts";
import { copiedTables, keyedTables, sessionTables } from "./tables.ts";

const batchRows = 500;
const batchChars = 1024 * 1024;

/** A database in use gets none of these: it notifies of no message, and opens no session. */
const restoredOnly = new Set([...sessionTables, "private.notifications"]);

interface LoadOptions {
  passphrase: string | undefined;
  /** The header of the file, which was read to its end before. */
  header: Header;
  /** Names the secrets of this database. */
  keys: string;
  /** Whether the database is a new one: rows are stored as they are, by no trigger. */
  isNew: boolean;
  progress: Progress;
}

export interface Loaded {
  counts: Map<string, { added: number; skipped: number }>;
  /** Tables and columns of the file that this version of the site has no more. */
  gone: Set<string>;
  /** Ids of accounts whose second factors other keys seal. */
  withoutFactor: Set<string>;
}

/**
 * Adds the rows of a copy in one transaction: all or nothing. Rows that are there stay as they are.
 * @throws {StartError} with the number of the line that cannot be stored
 */
export async function load(
  client: ClientBase,
  file: string,
  options: LoadOptions,
): Promise<Loaded> {
  const { header, isNew, progress } = options;
  const known = await knownMigrations();
  const unknown = header.migrations.find((version) => !known.includes(version));
  if (unknown !== undefined) {
    throw new StartError(
      `${file} was made by another version of the site (${header.version}, which has the migration ${unknown}), probably a newer one: install that version.`,
    );
  }
  progress.begin("rows stored", header.rows);
  await client.query("begin");
  try {
    await client.query(
      "set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0",
    );
    if (isNew) {
      await client.query("set local session_replication_role = replica");
    }
    const { rowCount } = await client.query("select from public.contact_messages limit 1");
    const loaded = await loadRows({ client, isNew, isInboxEmpty: rowCount === 0 }, file, options);
    await client.query("commit");
    return loaded;
  } catch (error) {
    await client.query("rollback").catch(() => undefined);
    throw error;
  }
}

async function loadRows(target: Target, file: string, options: LoadOptions): Promise<Loaded> {
  const { header, keys, passphrase, progress } = options;
  const tables = await copiedTables(target.client);
  const goneNames = await namesOfGone(target.client);
  const loaded: Loaded = { counts: new Map(), gone: new Set(), withoutFactor: new Set() };
  /** Rows of one table with the same columns. */
  let batch: Row[] = [];
  let batchColumns: string[] = [];
  let chars = 0;

  const isGone = (name: string) => goneNames.has(name) && loaded.gone.add(name).has(name);
  const count = (table: string, rows: number, added: number) => {
    const before = loaded.counts.get(table) ?? { added: 0, skipped: 0 };
    const skipped = before.skipped + rows - added;
    loaded.counts.set(table, { added: before.added + added, skipped });
    progress.add(rows);
  };
  const flush = async () => {
    const table = tables.get(batch[0]?.table ?? "");
    if (table) {
      count(table.name, batch.length, await insertRows(target, file, table, batchColumns, batch));
    }
    [batch, chars] = [[], 0];
  };

  await readCopy(file, passphrase, async (row) => {
    const place = `${file}, line ${row.line}`;
    const table = tables.get(row.table);
    if (table === undefined && !isGone(row.table)) {
      throw new StartError(`${place}: ${JSON.stringify(row.table)} is no table of this site.`);
    }
    const values = parseRow(row.json, place);
    const isUseless = keyedTables.has(row.table) && header.keys !== keys;
    if (isUseless && row.table === "auth.mfa_factors") {
      loaded.withoutFactor.add(String(values.get("user_id")));
    }
    if (!table || isUseless || (!target.isNew && restoredOnly.has(row.table))) {
      count(row.table, 1, 0);
      return;
    }
    const columns = [...values.keys()].filter((name) => !isGone(`${row.table}.${name}`));
    const strange = columns.find((name) => !table.columns.has(name));
    if (strange !== undefined) {
      throw new StartError(`${place}: ${JSON.stringify(strange)} is no column of ${row.table}.`);
    }
    const isAlike = batch[0]?.table === row.table && batchColumns.join() === columns.join();
    if (!isAlike || batch.length === batchRows || chars > batchChars) {
      await flush();
    }
    batch.push(row);
    batchColumns = columns;
    chars += row.json.length;
  });
  await flush();
  return loaded;
}

/** A migration that drops something says so in the comment of schema private: 'Gone: a.b, a.b.c'. */
async function namesOfGone(client: ClientBase): Promise<Set<string>> {
  const { rows } = await client.query<{ said: string | null }>(
    "select obj_description('private'::regnamespace, 'pg_namespace') as said",
  );
  return new Set(rows[0]?.said?.replace(/^Gone: /, "").split(", "));
}

function parseRow(json: string, place: string): Map<string, unknown> {
  try {
    return new Map(Object.entries(JSON.parse(json)));
  } catch {
    throw new StartError(`${place}: not JSON.`);
  }
}
