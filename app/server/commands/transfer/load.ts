import { type ClientBase, escapeIdentifier } from "pg";
import { StartError } from "#app/lib/start-error.ts";
import { type Batch, type Copy, readCopy } from "./format.ts";
import { knownMigrations } from "./migrations.ts";
import { copiedTables, restoredTables, sealedTables, settingTables, type Table } from "./tables.ts";

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

interface Target {
  /** Names the secrets of the database. */
  keys: string;
  /** Whether it is a new one: rows are stored as they are, by no trigger. */
  isNew: boolean;
}

/**
 * Adds the rows of a copy in one transaction: all or nothing. Rows that are there stay as they are.
 * @param copy was read to its end before
 * @returns lines for the owner: what was added, and what was not
 * @throws {StartError} with the line of the first of the rows that cannot be stored
 */
export async function load(client: ClientBase, copy: Copy, target: Target): Promise<string[]> {
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
    if (target.isNew) {
      await client.query("set local session_replication_role = replica");
    }
    const lines = await loadRows(client, copy, target);
    await client.query("commit");
    return lines;
  } catch (error) {
    await client.query("rollback").catch(() => undefined);
    throw error;
  }
}

async function loadRows(client: ClientBase, copy: Copy, { keys, isNew }: Target) {
  const tables = await copiedTables(client);
  const goneNames = await namesOfGone(client);
  const { rowCount: messages } = await client.query("select from public.contact_messages limit 1");
  const added = new Map<string, number>();
  const gone = new Set<string>();
  const withoutFactor = new Set<string>();
  const isGone = (name: string) => goneNames.has(name) && gone.add(name).has(name);

  async function store({ table: name, rows }: Batch): Promise<void> {
    const table = tables.get(name);
    if (table === undefined && !isGone(name)) {
      throw new Error(`${JSON.stringify(name)} is no table of this site.`);
    }
    const values: Record<string, unknown>[] = rows.map((row) => JSON.parse(row));
    const isSealed = sealedTables.has(name) && copy.header.keys !== keys;
    if (isSealed && name === "auth.mfa_factors") {
      values.forEach((factor) => withoutFactor.add(String(factor["user_id"])));
    }
    if (!table || isSealed || (!isNew && restoredTables.has(name))) {
      return;
    }
    const names = new Set(values.flatMap((row) => Object.keys(row)));
    const columns = [...names].filter((column) => !isGone(`${name}.${column}`));
    const strange = columns.find((column) => !table.columns.includes(column));
    if (strange !== undefined) {
      throw new Error(`${JSON.stringify(strange)} is no column of ${name}.`);
    }
    // In a new database are rows of the migrations, such as limits.
    const replaces = isNew || (messages === 0 && settingTables.has(name));
    const statement = insertInto(table, columns, replaces);
    const { rowCount } = await client.query(statement, [`[${rows.join()}]`]);
    added.set(name, (added.get(name) ?? 0) + (rowCount ?? 0));
  }

  const { counts } = await readCopy(copy.file, copy.passphrase, async (batch, line) => {
    await store(batch).catch((cause: Error) => {
      throw new StartError(`${copy.file}, from line ${line} on: ${cause.message}`, { cause });
    });
  });
  const lines = [...counts].map(([table, count]) => {
    const stored = added.get(table) ?? 0;
    return `${table}: ${stored} added, ${count - stored} left out or there already`;
  });
  for (const name of gone) {
    lines.push(`${name} was left out: this version has it no more.`);
  }
  const { rows: lost } = await client.query<{ email: string }>(
    `select email from auth.users u
    where id::text = any ($1) and not exists (
      select from auth.mfa_factors where user_id = u.id and status = 'verified'
    ) order by email`,
    [[...withoutFactor]],
  );
  if (lost.length > 0) {
    lines.push(
      `Second factors stay behind, because other keys seal them. Until they add one again, these have none: ${lost.map(({ email }) => email).join(", ")}.`,
    );
  }
  return lines;
}

/** The names are the catalog's and this file's, the rows are one parameter. */
function insertInto({ name, key }: Table, columns: string[], replaces: boolean): string {
  const fixed = name === "auth.users" ? userConstants : {};
  const given = columns.filter((column) => !Object.hasOwn(fixed, column)).map(escapeIdentifier);
  const changes = columns
    .filter((column) => !key.includes(column))
    .map((column) => `${escapeIdentifier(column)} = excluded.${escapeIdentifier(column)}`);
  const onConflict =
    replaces && key.length > 0 && changes.length > 0
      ? `(${key.map(escapeIdentifier).join()}) do update set ${changes.join()}`
      : "do nothing";
  // An account with the address of another one is not there. An inbox that lost its owner has none.
  const ofAccounts = columns.includes("user_id")
    ? "(user_id is null or user_id::text in (select id::text from auth.users))"
    : "true";
  return `insert into ${name} (${[...given, ...Object.keys(fixed)].join()})
    select ${[...given, ...Object.values(fixed)].join()}
    from json_populate_recordset(null::${name}, $1::text::json)
    where ${ofAccounts}
    on conflict ${onConflict}`;
}

/** A migration that drops something says so in the comment of schema private: 'Gone: a.b, a.b.c'. */
async function namesOfGone(client: ClientBase): Promise<Set<string>> {
  const { rows } = await client.query<{ said: string | null }>(
    "select obj_description('private'::regnamespace, 'pg_namespace') as said",
  );
  return new Set(rows[0]?.said?.replace(/^Gone: /, "").split(", "));
}
