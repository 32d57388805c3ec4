import type { Sql } from "#embedded/sql.ts";
import { exportedColumns, type Table } from "./format.ts";

/** Maps the exported columns of a table to their quoted names. Empty if there is no such table. */
export async function columnsOf(sql: Sql, table: Table): Promise<Map<string, string>> {
  const rows = await sql<{ name: string; quoted: string }>`
    select attname as name, quote_ident(attname) as quoted from pg_attribute
    where attrelid = to_regclass(${table}) and attnum > 0 and not attisdropped
      and attgenerated = '' order by attnum`;
  const exported = exportedColumns[table];
  return new Map(
    rows
      .filter(({ name }) => exported === undefined || exported.includes(name))
      .map(({ name, quoted }) => [name, quoted]),
  );
}
