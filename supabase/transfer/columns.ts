import type { Sql, TransactionSql } from "postgres";
import { movedColumns, type Table } from "./format.ts";

/** Returns the columns of a table that move and can be written, quoted, by name; none without it. */
export async function columnsOf(
  sql: Sql | TransactionSql,
  table: Table,
): Promise<Map<string, string>> {
  const rows = await sql<{ name: string; quoted: string }[]>`
    select attname as name, quote_ident(attname) as quoted from pg_attribute
    where attrelid = to_regclass(${table}) and attnum > 0 and not attisdropped
      and attgenerated = '' order by attnum`;
  const moved = movedColumns[table];
  return new Map(
    rows
      .filter(({ name }) => moved === undefined || moved.includes(name))
      .map(({ name, quoted }) => [name, quoted]),
  );
}
