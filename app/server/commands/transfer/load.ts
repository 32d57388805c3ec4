import type { ClientBase } from "pg";
import { StartError } from "#app/lib/start-error.ts";
import { type Header, readCopy, type Row } from "./format.ts";
import { Inserter, type Outcome } from "./insert.ts";
import { knownMigrations } from "./migrations.ts";
import type { Progress } from "./progress.ts";
import { copiedTables, keyedTables, sessionTables, type Table } from "./tables.ts";

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
  counts: Map<string, Outcome>;
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
  const { header, passphrase, isNew, progress } = options;
  const known = await knownMigrations();
  const newer = header.migrations.find((version) => !known.includes(version));
  if (newer !== undefined) {
    throw new StartError(
      `${file} was made by a newer version of the site (${header.version}, migration ${newer}): use that one.`,
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
    const tables = await copiedTables(client);
    const { rowCount } = await client.query("select from public.contact_messages limit 1");
    const inserter = new Inserter(client, isNew, rowCount === 0);
    const loader = new Loader(file, options, tables, await namesOfGone(client), inserter);
    await readCopy(file, passphrase, (row) => loader.take(row));
    await loader.flush();
    await client.query("commit");
    return loader.loaded;
  } catch (error) {
    await client.query("rollback").catch(() => undefined);
    throw error;
  }
}

/** A migration that drops something says so in the comment of schema private: 'Gone: a.b, a.b.c'. */
async function namesOfGone(client: ClientBase): Promise<Set<string>> {
  const { rows } = await client.query<{ said: string | null }>(
    "select obj_description('private'::regnamespace, 'pg_namespace') as said",
  );
  return new Set(rows[0]?.said?.replace(/^Gone: /, "").split(", "));
}

/** Collects rows of the same table and columns, and has them inserted. */
class Loader {
  readonly loaded: Loaded = { counts: new Map(), gone: new Set(), withoutFactor: new Set() };
  readonly #file: string;
  readonly #options: LoadOptions;
  readonly #tables: Map<string, Table>;
  readonly #gone: Set<string>;
  readonly #inserter: Inserter;
  #rows: Row[] = [];
  #columns: string[] = [];
  #chars = 0;

  constructor(
    file: string,
    options: LoadOptions,
    tables: Map<string, Table>,
    gone: Set<string>,
    inserter: Inserter,
  ) {
    this.#file = file;
    this.#options = options;
    this.#tables = tables;
    this.#gone = gone;
    this.#inserter = inserter;
  }

  async take(row: Row): Promise<void> {
    const place = `${this.#file}, line ${row.line}`;
    const table = this.#tables.get(row.table);
    const values = parseRow(row.json, place);
    if (table === undefined) {
      if (!this.#isGone(row.table)) {
        throw new StartError(`${place}: ${JSON.stringify(row.table)} is no table of this site.`);
      }
      return;
    }
    if (this.#isLeftOut(table, values)) {
      this.#count(table.name, { added: 0, skipped: 1 });
      return;
    }
    const columns = [...values.keys()].filter((name) => !this.#isGone(`${row.table}.${name}`));
    const strange = columns.find((name) => !table.columns.has(name));
    if (strange !== undefined) {
      throw new StartError(`${place}: ${JSON.stringify(strange)} is no column of ${row.table}.`);
    }
    const isAlike = this.#rows[0]?.table === row.table && this.#columns.join() === columns.join();
    if (!isAlike || this.#rows.length === batchRows || this.#chars > batchChars) {
      await this.flush();
    }
    this.#rows.push(row);
    this.#columns = columns;
    this.#chars += row.json.length;
  }

  /** Has the collected rows inserted. */
  async flush(): Promise<void> {
    const [first] = this.#rows;
    const table = first && this.#tables.get(first.table);
    if (table) {
      const outcome = await this.#inserter.insert(this.#file, table, this.#columns, this.#rows);
      this.#count(table.name, outcome);
    }
    this.#rows = [];
    this.#chars = 0;
  }

  #isGone(name: string): boolean {
    return this.#gone.has(name) && this.loaded.gone.add(name).has(name);
  }

  #isLeftOut({ name }: Table, values: Map<string, unknown>): boolean {
    const { header, keys, isNew } = this.#options;
    const isUseless = keyedTables.has(name) && header.keys !== keys;
    if (isUseless && name === "auth.mfa_factors") {
      this.loaded.withoutFactor.add(String(values.get("user_id")));
    }
    return isUseless || (!isNew && restoredOnly.has(name));
  }

  #count(table: string, { added, skipped }: Outcome): void {
    const before = this.loaded.counts.get(table) ?? { added: 0, skipped: 0 };
    const sum = { added: before.added + added, skipped: before.skipped + skipped };
    this.loaded.counts.set(table, sum);
    this.#options.progress.add(added + skipped);
  }
}

function parseRow(json: string, place: string): Map<string, unknown> {
  try {
    return new Map(Object.entries(JSON.parse(json)));
  } catch {
    throw new StartError(`${place}: not JSON.`);
  }
}
