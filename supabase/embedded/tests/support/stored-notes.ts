import { openPostgres } from "#embedded/engine/open-postgres.ts";
import { connectAsSuperuser } from "#embedded/engine/superuser.ts";
import type { SqlPool } from "#embedded/sql.ts";
import { silentLog } from "./log.ts";

/** Works as superuser on the database of a running or stopped site. */
async function asSuperuser<Result>(
  dataDir: string,
  work: (sql: SqlPool) => Promise<Result>,
): Promise<Result> {
  const access = await openPostgres(dataDir, silentLog);
  const sql = connectAsSuperuser(access);
  try {
    return await work(sql);
  } finally {
    await sql.end();
    await access.close();
  }
}

/** Stores a note that is nobody's. */
export const storeNote = (dataDir: string, text: string) =>
  asSuperuser(dataDir, (sql) => sql`insert into public.notes (text) values (${text})`);

/** Returns all notes, sorted. */
export const storedNotes = (dataDir: string) =>
  asSuperuser(dataDir, async (sql) => {
    const rows = await sql<{ text: string }>`select text from public.notes order by text`;
    return rows.map(({ text }) => text);
  });
