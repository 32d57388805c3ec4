import type { Sql } from "embedded-supabase/testing";
import type { TestDatabase } from "./database.ts";
import { asRole } from "./messages.ts";

/** Runs statements as the site itself. */
export const siteRole = <Result>({ sql }: TestDatabase, run: (sql: Sql) => Promise<Result>) =>
  asRole(sql, { role: "service_role" }, run);

/** Moves the database's clock: to what is stored, that is the same as moving all stored times back. */
export async function moveClock({ superuser }: TestDatabase, by: string): Promise<void> {
  const columns = {
    "private.clock": ["trusted_at", "jumped_at"],
    "public.contact_messages": ["created_at", "deleted_at", "spam_at"],
    "private.changes": ["made_at"],
    "auth.users": ["created_at", "updated_at", "last_sign_in_at", "confirmation_sent_at"],
  };
  for (const [table, names] of Object.entries(columns)) {
    const moved = names.map((name) => `${name} = ${name} - interval '${by}'`).join(", ");
    await superuser.script(`update ${table} set ${moved}`);
  }
}

const sweeps = ["sweep_messages", "sweep_changes", "sweep_accounts"];

/** A run of the daily sweep. Returns the date's state. */
export async function sweep(database: TestDatabase): Promise<string> {
  const [date] = await siteRole(database, (sql) => sql`select * from public.check_date()`);
  for (const name of sweeps) {
    await siteRole(database, (sql) => sql.unsafe(`select public.${name}()`));
  }
  return date?.["state"];
}
