import { afterAll, beforeEach, expect, test } from "vitest";
import { asAccount, startInbox, store } from "#tests/support/inbox.ts";

const { database, owner, stranger } = await startInbox();
afterAll(() => database.close());
beforeEach(async () => {
  await database.sql`delete from public.contact_messages`;
});

const now = Date.parse("2026-11-24T10:00:00Z");
const hoursAgo = (hours: number) => new Date(now - hours * 60 * 60 * 1000);
const bounds = { late: hoursAgo(24), today: hoursAgo(20) };

async function read(account: string, { late, today } = bounds, open?: string) {
  const [row] = await asAccount(
    database,
    account,
    (sql) => sql`
      select opened, promised from public.read_inbox(
        open => ${open ?? null}::text::uuid, late_before => ${late}, today_before => ${today})`,
  );
  return row as {
    opened: { message: string; note: string } | null;
    promised: Record<"late" | "due_today", number> &
      Record<"late_rows" | "next_rows", { message: string }[]>;
  };
}

const opened = async (account: string, id: string) => (await read(account, bounds, id)).opened;

const textsOf = (rows: { message: string }[]) => rows.map(({ message }) => message);

test("the owner reads what is late and what is due, of what waits", async () => {
  const at = (hours: number, rest: object = {}) => ({
    message: `${hours}`,
    created_at: hoursAgo(hours),
    ...rest,
  });
  await store(database, [
    ...[1, 2, 3, 4, 5, 20, 21, 24, 25, 26, 27, 28].map((hours) => at(hours)),
    at(22, { answered_at: hoursAgo(0) }),
    at(29, { archived_at: hoursAgo(0) }),
    at(30, { deleted_at: hoursAgo(0) }),
    at(31, { spam_signs: ["trap"], spam_at: hoursAgo(0) }),
  ]);
  const { promised } = await read(owner);
  expect(promised).toMatchObject({ late: 4, due_today: 2 });
  expect(textsOf(promised.late_rows)).toEqual(["25", "26", "27"]);
  expect(textsOf(promised.next_rows)).toEqual(["24", "21", "20", "5", "4", "3"]);
});

test("with nothing that waits there are no rows", async () => {
  expect((await read(owner)).promised).toEqual({
    late: 0,
    due_today: 0,
    late_rows: [],
    next_rows: [],
  });
});

test("only the owner reads it, and only if it is asked for", async () => {
  await store(database, [{ message: "1" }]);
  expect((await read(stranger)).promised).toBeNull();
  const [row] = await asAccount(database, owner, (sql) => sql`select * from public.read_inbox()`);
  expect(row).toMatchObject({ opened: null, promised: null });
});

test("beyond a thousand newer ones, the late ones are counted by themselves", async () => {
  await database.superuser`
    insert into public.contact_messages (name, email, message, created_at)
    select 'n', 'n@example.com', 'm' || n, ${hoursAgo(1)}::timestamptz + n * interval '1 ms'
    from generate_series(1, 1001) n`;
  await store(database, [{ message: "late", created_at: hoursAgo(25) }]);
  expect((await read(owner)).promised).toMatchObject({ late: 1, due_today: 0 });
});

test("one message is read in whatever box it lies, by those who may read it", async () => {
  const [id = "", deleted = ""] = await store(database, [
    { message: "shown", note: "ملاحظة" },
    { message: "deleted", deleted_at: hoursAgo(0) },
  ]);
  expect(await opened(owner, id)).toMatchObject({ message: "shown", note: "ملاحظة" });
  expect(await opened(owner, deleted)).toMatchObject({ message: "deleted" });
  expect(await opened(stranger, id)).toBeNull();
  expect(await opened(owner, "11111111-2222-4333-8444-555555555555")).toBeNull();
});
