import type { Sql } from "embedded-supabase/testing";
import type { TestDatabase } from "./database.ts";
import { asAccount } from "./inbox.ts";
import { asRole } from "./messages.ts";

/** Runs statements as the site itself. */
export const siteRole = <Result>({ sql }: TestDatabase, run: (sql: Sql) => Promise<Result>) =>
  asRole(sql, { role: "service_role" }, run);

/** Moves the database's clock: to what is stored, that is the same as moving all stored times back. */
export async function moveClock({ superuser }: TestDatabase, by: string): Promise<void> {
  const columns = ["created_at", "deleted_at", "spam_at", "expired_at", "restored_at"];
  const moved = columns.map((name) => `${name} = ${name} - interval '${by}'`).join(", ");
  await superuser.script(`update public.contact_messages set ${moved}`);
}

/** A whole run of the daily sweep. Returns how many messages it moved to the trash and deleted. */
export async function sweep(database: TestDatabase) {
  const total = { expired: 0, deleted: 0 };
  for (let isDone = false; !isDone;) {
    const [swept] = await siteRole(
      database,
      (sql) =>
        sql<{ expired: number; deleted: number; others: number }>`select * from public.sweep()`,
    );
    const { expired = 0, deleted = 0, others = 0 } = swept ?? {};
    total.expired += expired;
    total.deleted += deleted;
    isDone = expired + deleted + others === 0;
  }
  return total;
}

/** Takes all out of the trash as the board does: a page, its hundred at once, the next page. */
export async function restoreAll(database: TestDatabase, owner: string): Promise<void> {
  for (let ids: string[] | undefined; ids?.length !== 0;) {
    ids = await asAccount(database, owner, async (sql) => {
      const [read] = await sql<{ page: { id: string }[] }>`
        select page from public.read_inbox('trash', most => 100)`;
      const page = (read?.page ?? []).map(({ id }) => id);
      await sql`select public.sort_messages('restore', ${page}, 'trash')`;
      return page;
    });
  }
}
