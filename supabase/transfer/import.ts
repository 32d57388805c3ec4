import { createReadStream } from "node:fs";
import type { z } from "zod";
import { reason, StartError } from "#embedded/engine/start-error.ts";
import type { Sql, SqlPool } from "#embedded/sql.ts";
import {
  columnsOf,
  type Header,
  headerSchema,
  type Line,
  lineSchema,
  keyedTables,
  type Table,
} from "./format.ts";

const newline = 10;
const batchRows = 500;
/** In bytes. A message with name and note has up to 30 kB, an account's metadata 16 kB. */
const maxLineBytes = 256 * 1024;

interface Imported {
  header: Header;
  /** Skipped rows existed before, have no account, or need other keys. */
  counts: Map<Table, { added: number; skipped: number }>;
}

/**
 * Adds the rows of an export in batches, one transaction each. Existing rows stay unchanged, so
 * that an interrupted import can be run again with the same file.
 * @param keys as for exportRows; second factors of other keys are skipped
 * @throws {StartError} with the line number, if the file is not an export; earlier batches stay
 */
export async function importRows(
  sql: SqlPool,
  file: string,
  keys: string | null,
): Promise<Imported> {
  const lines = readLines(file);
  const first = await lines.next();
  const header = parse(headerSchema, first.done ? "" : first.value, `${file}, line 1`);
  const counts: Imported["counts"] = new Map();
  const importer = { sql, counts, hasSameKeys: keys !== null && keys === header.keys };
  let batch: Line[] = [];
  let number = 1;
  const flush = async () => {
    await addBatch(importer, batch).catch((error: unknown) => {
      const from = number - batch.length + 1;
      throw new StartError(`${file}, lines ${from} to ${number}: ${reason(error)}`);
    });
    batch = [];
  };
  for await (const text of lines) {
    const line = parse(lineSchema, text, `${file}, line ${number + 1}`);
    if (batch.length === batchRows || (batch[0] && batch[0].table !== line.table)) {
      await flush();
    }
    batch.push(line);
    number += 1;
  }
  await flush();
  return { header, counts };
}

/** Reads the lines of a file. Throws StartError at a too long one, before all is in memory. */
async function* readLines(file: string): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0);
  let number = 1;
  for await (const chunk of createReadStream(file)) {
    const bytes: Buffer = Buffer.concat([rest, chunk]);
    let start = 0;
    for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, start)) {
      yield bytes.toString("utf8", start, end);
      start = end + 1;
      number += 1;
    }
    rest = bytes.subarray(start);
    if (rest.length > maxLineBytes) {
      throw new StartError(`${file}, line ${number}: longer than ${maxLineBytes} bytes.`);
    }
  }
  if (rest.length > 0) {
    yield rest.toString("utf8");
  }
}

function parse<T>(schema: z.ZodType<T>, text: string, place: string): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new StartError(`${place}: not a line of an export.`);
  }
  const result = schema.safeParse(value);
  if (!result.success) {
    const [issue] = result.error.issues;
    throw new StartError(`${place}: ${issue?.path.join(".")} ${issue?.message}`);
  }
  return result.data;
}

interface Importer {
  sql: SqlPool;
  counts: Imported["counts"];
  /** Whether the secrets belong to the keys of this database. */
  hasSameKeys: boolean;
}

async function addBatch({ sql, counts, hasSameKeys }: Importer, batch: Line[]): Promise<void> {
  const [first] = batch;
  if (!first) {
    return;
  }
  const { table } = first;
  const isSkipped = keyedTables.includes(table) && !hasSameKeys;
  const added = isSkipped ? 0 : await sql.begin((transaction) => add(transaction, table, batch));
  const before = counts.get(table) ?? { added: 0, skipped: 0 };
  const skipped = before.skipped + batch.length - added;
  counts.set(table, { added: before.added + added, skipped });
}

/**
 * GoTrue finds only accounts of this instance, and fails on null in the columns of codes
 * (supabase/auth, internal/models/user.go).
 */
const constants: Partial<Record<Table, Record<string, string>>> = {
  "auth.users": {
    instance_id: "'00000000-0000-0000-0000-000000000000'",
    confirmation_token: "''",
    recovery_token: "''",
    email_change_token_new: "''",
    email_change: "''",
  },
};

/** SQL names come from constants or the catalog. The rows are one parameter. */
async function add(sql: Sql, table: Table, batch: Line[]): Promise<number> {
  const known = await columnsOf(sql, table);
  const given = new Set(batch.flatMap(({ row }) => Object.keys(row)));
  const columns = [...known].filter(([name]) => given.has(name)).map(([, quoted]) => quoted);
  const fixed = Object.entries(constants[table] ?? {});
  const names = [...columns, ...fixed.map(([name]) => name)].join(", ");
  const values = [...columns, ...fixed.map(([, value]) => value)].join(", ");
  const hasAccount = known.has("user_id") ? "where user_id in (select id from auth.users)" : "";
  const rows = JSON.stringify(batch.map(({ row }) => row));
  const added = await sql.unsafe<{ id: string | null }>(
    `insert into ${table} (${names})
     select ${values} from json_populate_recordset(null::${table}, $1::text::json) ${hasAccount}
     on conflict do nothing returning ${known.has("id") ? "id" : "null as id"}`,
    [rows],
  );
  if (table === "public.contact_messages") {
    const ids = JSON.stringify(added.map(({ id }) => id));
    // The insert trigger may have marked messages as spam that the owner had accepted.
    await sql`
      update public.contact_messages set spam_signs = null
      from json_populate_recordset(null::public.contact_messages, ${rows}::text::json) given
      where contact_messages.id = given.id and given.spam_signs is null
        and contact_messages.spam_signs is not null
        and given.id::text in (select json_array_elements_text(${ids}::text::json))`;
  }
  return added.length;
}
