import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { Database } from "#embedded/database.ts";
import { disconnect, openClient, sqlOn } from "#embedded/sql.ts";
import type { Change } from "./pgoutput.ts";
import type { Binding } from "./subscription.ts";

/** The readers' view of changed rows. */
export interface Answer {
  /** Those that accounts may read. */
  columns: { name: string; type: string }[];
  /** By number of the change. Rows above 1 MiB are left out. */
  records: Record<string, unknown>;
  /** The changes that each reader sees; null if that could not be found out. */
  visible: (number[] | null)[];
  /** SQLSTATEs. */
  failed: string[];
}

export interface Checker {
  /** Reads the rows of changes of one table as each reader. */
  check(changes: Change[], claims: string[]): Promise<Answer>;
  /** Whether the changes of all tables are in the log. */
  arePublished(tables: Pick<Binding, "schema" | "table">[]): Promise<boolean>;
  close(): Promise<void>;
}

const answerSchema: z.ZodType<Answer | null> = z
  .object({
    columns: z.array(z.object({ name: z.string(), type: z.string() })),
    records: z.record(z.string(), z.unknown()),
    visible: z.array(z.array(z.number()).nullable()),
    failed: z.array(z.string()),
  })
  .nullable();

const checkFile = new URL("check.sql", import.meta.url);

/** Opens a session that reads as the accounts. Calls `onLost` when its connection is lost. */
export async function openChecker(database: Database, onLost: () => void): Promise<Checker> {
  const client = await openClient({
    ...database.login("realtime_authenticator"),
    // All readers see the same version of a row.
    options: "-c TimeZone=UTC -c default_transaction_isolation=repeatable\\ read",
  });
  client.once("end", onLost);
  const sql = sqlOn(client);
  try {
    await sql.script(await readFile(checkFile, "utf8"));
    // Policies can call any function, and a check must not write.
    await sql`set default_transaction_read_only = on`;
  } catch (error) {
    disconnect(client);
    throw error;
  }
  return {
    async check(changes, claims) {
      const { oid = 0, columns = [] } = changes[0]?.relation ?? {};
      const query = {
        relation: oid,
        key: columns.filter(({ isKey }) => isKey),
        rows: changes.map(({ key }, index) => [index, ...key]),
        xids: [...new Set(changes.map(({ xid }) => xid))],
        readers: claims,
      };
      while (true) {
        const [row] = await sql`
          select pg_temp.realtime_check(${JSON.stringify(query)}::text::jsonb)::text as answer`;
        const answer = answerSchema.parse(JSON.parse(row?.["answer"] ?? "null"));
        if (answer) {
          return answer;
        }
        await sleep(1);
      }
    },
    async arePublished(tables) {
      const [row] = await sql<{ missing: boolean }>`
        select exists (
          select from jsonb_to_recordset(${JSON.stringify(tables)}::text::jsonb) w(schema text, "table" text)
          where not exists (
            select from pg_catalog.pg_publication_tables p
            where p.pubname = 'supabase_realtime' and p.schemaname = w.schema and p.tablename = w.table
          )
        ) as missing`;
      return row?.missing === false;
    },
    async close() {
      disconnect(client);
    },
  };
}
