import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import type { Sql, SqlPool } from "#embedded/sql.ts";
import { columnsOf, type Header, keyedTables, type Table, tables } from "./format.ts";

const batchRows = 1000;

/** The filter or the order of a table's rows. */
const conditions: Partial<Record<Table, string>> = {
  "auth.mfa_factors": "where status = 'verified'",
  "public.contact_messages": "order by created_at, id",
};

/**
 * Writes accounts and messages to a new file, mode 600, from one snapshot.
 * @param keys identifies the keys of this database's secrets; null for a hosted Supabase
 * @returns the number of rows of each table
 * @throws errors of the file system and of PostgreSQL
 */
export async function exportRows(
  sql: SqlPool,
  file: string,
  keys: string | null,
): Promise<Map<Table, number>> {
  const counts = new Map<Table, number>();
  await sql.begin(async (transaction) => {
    await transaction`set local time zone 'UTC'`;
    await transaction`set local statement_timeout = 0`;
    await pipeline(
      readAll(transaction, keys, counts),
      createWriteStream(file, { flags: "wx", mode: 0o600, flush: true }),
    );
  }, "isolation level repeatable read read only");
  return counts;
}

async function* readAll(sql: Sql, keys: string | null, counts: Map<Table, number>) {
  const [row] = await sql<{ factors: number }>`
    select count(distinct user_id)::int as factors from auth.mfa_factors where status = 'verified'`;
  const time = new Date().toISOString();
  const header: Header = { format: 1, time, keys, factors: row?.factors ?? 0 };
  yield `${JSON.stringify(header)}\n`;
  for (const table of tables.filter((name) => keys !== null || !keyedTables.includes(name))) {
    const columns = [...(await columnsOf(sql, table)).values()].join(", ");
    let count = 0;
    await sql.script(
      `declare rows no scroll cursor for select row_to_json(r)::text as json
       from (select ${columns} from ${table} ${conditions[table] ?? ""}) r`,
    );
    while (true) {
      const batch = await sql.unsafe<{ json: string }>(`fetch ${batchRows} from rows`);
      if (batch.length === 0) {
        break;
      }
      count += batch.length;
      yield batch.map(({ json }) => `{"table":"${table}","row":${json}}\n`).join("");
    }
    await sql`close rows`;
    counts.set(table, count);
  }
}
