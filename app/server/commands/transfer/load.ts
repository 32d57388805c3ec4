import type { ClientBase } from "pg";
import { StartError } from "#app/lib/start-error.ts";
import { type Copy, parseJson, readCopy, type Row } from "./format.ts";
import { insertRows, type Target } from "./insert.ts";
import { knownMigrations } from "./migrations.ts";
import { showProgress } from "./progress.ts";
import { copiedTables, keyedTables, restoredTables } from "./tables.ts";

const batchChars = 1024 * 1024;

export interface Loaded {
  counts: Map<string, { added: number; skipped: number }>;
  /** Tables and columns of the file that this version of the site has no more. */
  gone: Set<string>;
  /** Ids of accounts whose second factors other keys seal. */
  withoutFactor: Set<string>;
}

/**
 * Adds the rows of a copy in one transaction: all or nothing. Rows that are there stay as they are.
 * @param copy was read to its end before
 * @param keys names the secrets of the database
 * @param isNew whether the database is a new one: rows are stored as they are, by no trigger
 * @throws {StartError} with the number of the line that cannot be stored
 */
export async function load(
  client: ClientBase,
  copy: Copy,
  { keys, isNew }: { keys: string; isNew: boolean },
): Promise<Loaded> {
  const known = await knownMigrations();
  const { version, migrations } = copy.header;
  const unknown = migrations.find((migration) => !known.includes(migration));
  if (unknown !== undefined) {
    throw new StartError(
      `${copy.file} was made by another version of the site (${version}, which has the migration ${unknown}), probably a newer one: install that version.`,
    );
  }
  await client.query("begin");
  try {
    await client.query(
      "set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0",
    );
    if (isNew) {
      await client.query("set local session_replication_role = replica");
    }
    const { rowCount } = await client.query("select from public.contact_messages limit 1");
    const target = { client, file: copy.file, isNew, isInboxEmpty: rowCount === 0 };
    const loaded = await loadRows(target, copy, copy.header.keys === keys);
    await client.query("commit");
    return loaded;
  } catch (error) {
    await client.query("rollback").catch(() => undefined);
    throw error;
  }
}

async function loadRows(target: Target, copy: Copy, hasKeys: boolean): Promise<Loaded> {
  const tables = await copiedTables(target.client);
  const goneNames = await namesOfGone(target.client);
  const loaded: Loaded = { counts: new Map(), gone: new Set(), withoutFactor: new Set() };
  using progress = showProgress("rows stored", copy.header.rows);
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
      count(table.name, batch.length, await insertRows(target, table, batchColumns, batch));
    }
    [batch, chars] = [[], 0];
  };

  await readCopy(copy.file, copy.passphrase, async (row) => {
    const place = `${copy.file}, line ${row.line}`;
    const table = tables.get(row.table);
    if (table === undefined && !isGone(row.table)) {
      throw new StartError(`${place}: ${JSON.stringify(row.table)} is no table of this site.`);
    }
    // A map, which takes a column such as __proto__ as any other.
    const values = new Map(Object.entries(parseJson(row.json, place) ?? {}));
    const isUseless = keyedTables.has(row.table) && !hasKeys;
    if (isUseless && row.table === "auth.mfa_factors") {
      loaded.withoutFactor.add(String(values.get("user_id")));
    }
    if (!table || isUseless || (!target.isNew && restoredTables.has(row.table))) {
      count(row.table, 1, 0);
      return;
    }
    const columns = [...values.keys()].filter((name) => !isGone(`${row.table}.${name}`));
    const strange = columns.find((name) => !table.columns.includes(name));
    if (strange !== undefined) {
      throw new StartError(`${place}: ${JSON.stringify(strange)} is no column of ${row.table}.`);
    }
    const isAlike = batch[0]?.table === row.table && batchColumns.join() === columns.join();
    if (!isAlike || chars > batchChars) {
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
