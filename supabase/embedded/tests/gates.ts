import type { SqlPool } from "#embedded/sql.ts";

/**
 * A trigger at which statements wait while a test keeps it shut: it stops a request inside its
 * transaction.
 */
export async function buildGate(sql: SqlPool, name: string, statements: string) {
  await sql.script(`
    create function public.wait_at_${name}() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock_shared(hashtext('${name}'));
      if tg_op = 'DELETE' then
        return old;
      end if;
      return new;
    end
    $$;
    create trigger wait_at_${name} before ${statements} for each row
      execute function public.wait_at_${name}();`);
  return {
    /** Keeps the gate shut until `work` is done. */
    whileShut: <Result>(work: () => Promise<Result>): Promise<Result> =>
      sql.begin(async (tx) => {
        await tx`select pg_advisory_xact_lock(hashtext(${name}))`;
        return work();
      }),
  };
}

/** How many statements wait, at a gate or for another transaction. */
export async function countWaiting(sql: SqlPool): Promise<number> {
  const [waiting] = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where wait_event_type = 'Lock' and datname = current_database()`;
  return waiting?.count ?? 0;
}
