import type { ClientBase } from "pg";
import { StartError } from "#app/lib/start-error.ts";
import { type Batch, type Copy, readCopy } from "./format.ts";
import { insertInto } from "./insert.ts";
import { knownMigrations } from "./migrations.ts";
import { copiedTables, goneRows, sealedTables } from "./tables.ts";

/** More kinds are no copy of a site, and would take memory. */
const mostLeftOut = 1000;

interface Target {
  /** Names the secrets of the database. */
  keys: string;
  isEmbedded: boolean;
}

/**
 * Fills an empty database with all rows of a copy, in one transaction.
 * @param copy was read to its end before
 * @returns lines for the owner: what was restored, and what was not
 * @throws {StartError} if the database is in use or the file is a newer version's, or with the line of the
 *   first of the rows that cannot be stored
 */
export async function load(client: ClientBase, copy: Copy, target: Target): Promise<string[]> {
  const { version, format, migration } = copy.header;
  const known = await knownMigrations();
  const [first = "0", last = first] = [known.at(0), known.at(-1)];
  if (migration !== undefined && BigInt(migration) > BigInt(last)) {
    throw new StartError(
      `${copy.file} was made by a newer version of the site (${version}): install that version.`,
    );
  }
  await client.query("begin");
  try {
    await client.query(
      "set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0",
    );
    const lines = await loadRows(client, copy, {
      ...target,
      // A database that psql migrated has no list.
      isOld: migration === undefined ? format === 1 : BigInt(migration) < BigInt(first),
    });
    await client.query("commit");
    return lines;
  } catch (error) {
    await client.query("rollback").catch(() => undefined);
    throw error;
  }
}

async function loadRows(
  client: ClientBase,
  copy: Copy,
  { keys, isEmbedded, isOld }: Target & { isOld: boolean },
) {
  const tables = await copiedTables(client);
  const { rows: used } = await client.query(
    "select from public.contact_messages union all select from auth.users limit 1",
  );
  if (used.length > 0) {
    throw new StartError(
      "The database is in use: it has messages or accounts. Restore into an empty one.",
    );
  }
  const restored = new Map<string, number>();
  const leftOut = new Map<string, number>();
  const withoutFactor = new Set<string>();

  function leaveOut(what: string, count: number) {
    leftOut.set(what, (leftOut.get(what) ?? 0) + count);
    if (leftOut.size > mostLeftOut) {
      throw new Error("it has rows for too many unknown tables and columns.");
    }
  }

  async function store({ table: name, rows }: Batch): Promise<void> {
    const table = tables.get(name);
    if (table === undefined) {
      leaveOut(`${name}, which this version does not have`, rows.length);
      return;
    }
    let values: Record<string, unknown>[] = rows.map((row) => JSON.parse(row));
    if (sealedTables.has(name) && copy.header.keys !== keys) {
      leaveOut(`${name}, which other keys encrypt`, rows.length);
      if (name === "auth.mfa_factors") {
        values.forEach((factor) => withoutFactor.add(String(factor["user_id"]).slice(0, 36)));
      }
      return;
    }
    const gone = isOld ? goneRows[name] : undefined;
    let kept = rows;
    if (gone) {
      const isGone = values.map((row) => gone.values.includes(String(row[gone.column])));
      kept = rows.filter((_, index) => !isGone[index]);
      values = values.filter((_, index) => !isGone[index]);
      if (kept.length < rows.length) {
        leaveOut(
          `${name}, what this version reads in another way or not at all`,
          rows.length - kept.length,
        );
      }
    }
    const names = new Set(values.flatMap((row) => Object.keys(row)));
    const columns = [...names].filter((column) => table.columns.includes(column));
    for (const column of [...names].filter((known) => !columns.includes(known))) {
      const count = values.filter((row) => Object.hasOwn(row, column)).length;
      leaveOut(`${name}.${column.slice(0, 100)}, which this version does not have`, count);
    }
    if (columns.length > 0) {
      const { rowCount } = await client.query(insertInto(table, columns), [`[${kept.join()}]`]);
      restored.set(name, (restored.get(name) ?? 0) + (rowCount ?? 0));
    }
  }

  const { counts } = await readCopy(copy.file, copy.passphrase, async (batch, line) => {
    await store(batch).catch((cause: Error) => {
      throw new StartError(`${copy.file}, from line ${line} on: ${cause.message}`, { cause });
    });
  });
  return [
    ...[...counts].map(
      ([table, count]) => `${table}: ${restored.get(table) ?? 0} of ${count} rows restored`,
    ),
    ...[...leftOut].map(([what, count]) => `Left out: ${what} (${count} rows)`),
    ...(await tellAccounts(client, [...withoutFactor], isEmbedded)),
  ];
}

/** Returns lines about the accounts that cannot sign in as before. */
async function tellAccounts(client: ClientBase, withoutFactor: string[], isEmbedded: boolean) {
  const emailsOf = async (condition: string, values: unknown[]) => {
    const { rows } = await client.query<{ email: string }>(
      `select email from auth.users u where ${condition} order by email`,
      values,
    );
    return rows.map(({ email }) => email).join(", ");
  };
  const open = await emailsOf(
    `id::text = any ($1) and not exists (
      select from auth.mfa_factors where user_id = u.id and status = 'verified'
    )`,
    [withoutFactor],
  );
  // GoTrue can read the hashes of the embedded authentication, but the embedded one cannot read those of
  // GoTrue.
  const foreign = isEmbedded
    ? await emailsOf("encrypted_password <> '' and encrypted_password not like '$argon2%'", [])
    : "";
  return [
    ...(open
      ? [
          `A second factor works only in the place where it was made. These accounts have none until they add one: ${open}.`,
        ]
      : []),
    ...(foreign
      ? [
          `The passwords of these accounts do not work here. They set a new one by mail: ${foreign}.`,
        ]
      : []),
  ];
}
