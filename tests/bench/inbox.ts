import { readFile } from "node:fs/promises";
import { openDatabase } from "#embedded/database.ts";
import { bootstrap } from "#embedded/engine/bootstrap.ts";
import { startCluster } from "#embedded/engine/cluster.ts";
import { runMigrations } from "#embedded/engine/migrations.ts";
import { openDataDir } from "#embedded/engine/paths.ts";
import { connectAsSuperuser } from "#embedded/engine/superuser.ts";
import { type SqlPool, openPool } from "#embedded/sql.ts";
import { silentLog } from "#tests/support/log.ts";
import { root } from "#tests/support/spawn-server.ts";

/**
 * Creates a data folder with `messages` messages, one per minute until now, a fifth in each state,
 * ten with a rare word. Calls `use` with a superuser connection before the database stops. Insert
 * triggers are disabled, because they are not measured here.
 */
export async function fillInbox(
  path: string,
  messages: number,
  use: (sql: SqlPool) => Promise<void> = async () => {},
): Promise<void> {
  await using held = new AsyncDisposableStack();
  const dataDir = await openDataDir(path);
  const cluster = await startCluster(dataDir, silentLog);
  held.defer(() => cluster.stop());
  const authSchema = await readFile(`${root}supabase/embedded/auth/schema.sql`, "utf8");
  const database = openDatabase(cluster.socketDir, await bootstrap(cluster, authSchema));
  held.defer(() => database.close());
  const migrator = openPool({ ...database.login("postgres"), max: 1 });
  await runMigrations(migrator, `${root}supabase/migrations`).finally(() => migrator.end());
  const sql = connectAsSuperuser(cluster);
  held.defer(() => sql.end());
  // Recreated afterwards: filling them row by row takes minutes for a million rows.
  const indexes = await sql<{ name: string; definition: string }>`
    select indexname as name, indexdef as definition from pg_indexes
    where tablename = 'contact_messages' and indexname <> 'contact_messages_pkey'`;
  await sql.script(indexes.map(({ name }) => `drop index public.${name};`).join(""));
  await sql`set session_replication_role = replica`;
  await sql`
    insert into public.contact_messages
      (name, email, message, created_at, answered_at, archived_at, spam_signs, deleted_at)
    select 'زائر ' || n, 'visitor' || n || '@example.com',
      'أريد صفحة هبوط. رقم ' || n
        || case when n % (${messages}::integer / 10) = 0 then ' زرافة' else '' end,
      now() - n * interval '1 minute',
      case n % 5 when 1 then now() end, case n % 5 when 2 then now() end,
      case n % 5 when 3 then array['trap'] end, case n % 5 when 4 then now() end
    from generate_series(1, ${messages}::integer) n`;
  await sql`set session_replication_role = origin`;
  // Else the site sweeps old spam while it is measured.
  await sql`update private.retention set discarded_days = 36500`;
  await sql`
    select private.count_message(state, messages) from (
      select private.state_of(m) as state, count(*)::integer as messages
      from public.contact_messages m group by 1
    ) box`;
  await sql`set maintenance_work_mem = '1GB'`;
  await sql.script(indexes.map(({ definition }) => `${definition};`).join(""));
  await sql`vacuum analyze public.contact_messages`;
  await use(sql);
}
