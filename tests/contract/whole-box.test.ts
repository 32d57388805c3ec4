import { afterAll, expect, test } from "vitest";
import { asAccount, startInbox } from "#tests/support/inbox.ts";

const { database, owner, stranger } = await startInbox();
afterAll(() => database.close());

const most = 10_000;

async function call(account: string, statement: string, values: string[]) {
  const [row] = await asAccount(database, account, (sql) => sql.unsafe(statement, values));
  return row as { changed: number; change: string | null };
}

async function waiting(): Promise<number> {
  const [row] = await database.sql`
    select count(*)::integer from public.contact_messages where state = 'waiting'`;
  return row?.["count"];
}

const sortBox = (account: string, ...values: string[]) =>
  call(account, "select * from public.sort_box($1, $2, $3)", values);

test("a box is cleaned up as it was shown, at most 10,000 of it, in one change with one undo", async () => {
  await database.sql`delete from public.contact_messages`;
  await database.superuser`
    insert into public.contact_messages (name, email, message, created_at)
    select 'n', 'n@example.com', 'm' || n, '2026-01-01T00:00:00Z'::timestamptz + n * interval '1 s'
    from generate_series(1, ${most + 3}) n`;
  // The two newest came after the page was read.
  const until = new Date(Date.parse("2026-01-01T00:00:00Z") + (most + 1) * 1000).toISOString();
  expect(await sortBox(stranger, "archive", "waiting", until)).toEqual({
    changed: 0,
    change: null,
  });
  const done = await sortBox(owner, "archive", "waiting", until);
  expect(done.changed).toBe(most);
  // Of these the oldest one is beyond the limit.
  expect(await waiting()).toBe(3);
  const undo = [done.change ?? "", "unarchive"];
  const undone = await call(owner, "select * from public.undo_sort($1, $2)", undo);
  expect(undone.changed).toBe(most);
  expect(await waiting()).toBe(most + 3);
  await expect(sortBox(owner, "archive", "any", until)).rejects.toMatchObject({ code: "PT400" });
});
