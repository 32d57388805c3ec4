import { connectAsSuperuser, openPostgres } from "embedded-supabase/testing";
import { silentLog } from "#tests/support/log.ts";
import { startSite } from "./servers.ts";

/**
 * Creates a data folder with `messages` messages, one per minute until now, a fifth in each state,
 * ten with a rare word. No insert trigger fires: they are not measured here.
 */
export async function fillInbox(dataDir: string, messages: number): Promise<void> {
  await using held = new AsyncDisposableStack();
  const site = await startSite(dataDir);
  await site[Symbol.asyncDispose]();
  const database = await openPostgres(dataDir, silentLog);
  held.defer(() => database.close());
  const sql = connectAsSuperuser(database);
  held.defer(() => sql.end());
  // Recreated afterwards: filling them row by row takes minutes for a million rows.
  const indexes = await sql<{ name: string; definition: string }>`
    select indexname as name, indexdef as definition from pg_indexes
    where tablename = 'contact_messages' and indexname <> 'contact_messages_pkey'`;
  await sql.script(indexes.map(({ name }) => `drop index public.${name};`).join(""));
  await sql`set session_replication_role = replica`;
  await sql`
    insert into public.contact_messages
      (name, email, message, created_at, answered_at, archived_at, spam_signs, spam_at, deleted_at)
    select 'زائر ' || n, 'visitor' || n || '@example.com',
      'أريد صفحة هبوط. رقم ' || n
        || case when n % (${messages}::integer / 10) = 0 then ' زرافة' else '' end,
      now() - n * interval '1 minute',
      case n % 5 when 1 then now() end, case n % 5 when 2 then now() end,
      case n % 5 when 3 then array['trap'] end, case n % 5 when 3 then now() end,
      case n % 5 when 4 then now() end
    from generate_series(1, ${messages}::integer) n`;
  await sql`set session_replication_role = origin`;
  await sql`set maintenance_work_mem = '1GB'`;
  await sql.script(indexes.map(({ definition }) => `${definition};`).join(""));
  await sql`vacuum analyze public.contact_messages`;
}
