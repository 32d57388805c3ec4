import { afterAll, beforeEach, expect, test } from "vitest";
import { asAccount, startInbox, store } from "#tests/support/inbox.ts";
import { valuesOf } from "#tests/support/values.ts";

const { database, owner, stranger, counts } = await startInbox();
afterAll(() => database.close());
beforeEach(async () => {
  await database.sql`delete from public.contact_messages`;
});

/** The ids of the messages that changed. */
async function sort(action: string | null, ids: string[], account = owner) {
  const change = await asAccount(database, account, async (sql) => {
    const [row] = await sql`select * from public.sort_messages(${action}, ${ids})`;
    return row;
  });
  const rows = await database.sql`
    select id from public.contact_messages where last_change = ${change?.["change"] ?? null}`;
  expect(rows).toHaveLength(change?.["changed"]);
  return rows.map(({ id }) => id);
}

async function call(statement: string, values: (string | string[] | null)[], account = owner) {
  const [row] = await asAccount(database, account, (sql) => sql.unsafe(statement, values));
  return row;
}

const undoSort = (change: string, action: string) =>
  call("select * from public.undo_sort($1, $2)", [change, action]);

test.each([
  ["answer", "unanswer", [3, 2, 0, 0, 0]],
  ["archive", "unarchive", [2, 2, 1, 0, 0]],
  ["spam", "unspam", [2, 2, 0, 1, 0]],
  ["trash", "restore", [2, 2, 0, 0, 1]],
])(
  "%s moves a message, %s moves it back, and the same again changes nothing",
  async (action, undo, after) => {
    const [first = ""] = await store(database, [
      { message: "1" },
      { message: "2" },
      { message: "3" },
    ]);
    expect(await counts()).toEqual([3, 3, 0, 0, 0]);
    expect(await sort(undo, [first])).toEqual([]);
    expect(await sort(action, [first])).toEqual([first]);
    expect(await sort(action, [first])).toEqual([first]);
    expect(await counts()).toEqual(after);
    expect(await sort(undo, [first])).toEqual([first]);
    expect(await counts()).toEqual([3, 3, 0, 0, 0]);
  },
);

test("spam that was accepted has its signs again when that is undone", async () => {
  const [trapped = "", written = ""] = await store(database, [
    { message: "1", spam_signs: ["trap", "links"] },
    { message: "2" },
  ]);
  const signs = async () =>
    (await database.sql`select spam_signs from public.contact_messages order by message`).map(
      (row) => row["spam_signs"],
    );
  await sort("unspam", [trapped]);
  await sort("spam", [written]);
  expect(await signs()).toEqual([null, ["owner"]]);
  await sort("spam", [trapped]);
  await sort("unspam", [written]);
  expect(await signs()).toEqual([["trap", "links"], null]);
});

test("messages in another box stay there", async () => {
  const [spam = "", trash = "", archived = ""] = await store(database, [
    { message: "1", spam_signs: ["trap"] },
    { message: "2", deleted_at: new Date() },
    { message: "3", archived_at: new Date() },
  ]);
  const all = [spam, trash, archived];
  expect(await sort("answer", [spam, trash])).toEqual([]);
  expect(await sort("archive", all)).toEqual([]);
  expect(await sort("unspam", [trash, archived])).toEqual([]);
  expect(await sort("spam", all)).toEqual([archived]);
  expect((await sort("trash", all)).toSorted()).toEqual([spam, archived].toSorted());
  expect(await counts()).toEqual([0, 0, 0, 0, 3]);
  expect((await sort("restore", all)).length).toBe(3);
  // Each message is back in its box, and the one that began in the trash waits.
  expect(await counts()).toEqual([1, 1, 0, 2, 0]);
});

test("at most a hundred change at once, and unknown actions are refused", async () => {
  const ids = await store(
    database,
    Array.from({ length: 101 }, (_, i) => ({ message: `م ${i}` })),
  );
  await expect(sort("answer", ids)).rejects.toMatchObject({ code: "PT400" });
  await expect(sort("delete", ids.slice(1))).rejects.toMatchObject({ code: "PT400" });
  await expect(sort(null, ids.slice(1))).rejects.toMatchObject({ code: "PT400" });
  expect((await sort("answer", ids.slice(1))).toSorted()).toEqual(ids.slice(1).toSorted());
  const left = await database.sql`select from public.contact_messages where answered_at is null`;
  expect(left).toHaveLength(1);
});

const waits = async () => (await database.superuser`select from pg_locks where not granted`).length;

test("two callers with the same messages do not deadlock", async () => {
  const ids = await store(
    database,
    Array.from({ length: 50 }, (_, i) => ({ message: `م ${i}` })),
  );
  const forms = [
    ["answer", ids],
    ["answer", ids.toReversed()],
    ["archive", ids.toSorted()],
    ["archive", ids],
  ] as [string, string[]][];
  let sorting: ReturnType<typeof call>[] = [];
  // All of them wait for this row, and hold what they have locked before it.
  await asAccount(database, owner, async (sql) => {
    await sql`select from public.contact_messages where id = ${ids.toSorted()[25]} for update`;
    sorting = forms.map((form) => call("select * from public.sort_messages($1, $2)", form));
    await expect.poll(waits).toBe(forms.length);
  });
  const changed = (await Promise.all(sorting)).map((one) => one?.["changed"]);
  expect(changed.toSorted((a, b) => a - b)).toEqual([0, 0, 50, 50]);
  expect((await counts()).slice(0, 2)).toEqual([0, 0]);
});

test.each([
  ["phone", "0501234567"],
  ["phone", "+966501234567"],
  ["phone", "٩٦٦٥٠١٢٣٤٥٦٧"],
  ["phone", "9".repeat(16)],
  ["note", ""],
  ["note", "  "],
  ["note", "س".repeat(2001)],
  ["note", "\u202Eس"],
])("%s cannot be %j", async (column, value) => {
  const row = { name: "ن", email: "n@example.com", message: "م", [column]: value };
  await expect(
    database.sql`insert into public.contact_messages ${valuesOf(row)}`,
  ).rejects.toMatchObject({ code: "23514" });
});

test("an action is undone for messages that were not changed since, and a second undo tells what the first did", async () => {
  const ids = await store(database, [{ message: "1" }, { message: "2" }, { message: "3" }]);
  const archived = await call("select * from public.sort_messages($1, $2)", ["archive", ids]);
  await sort("unarchive", ids.slice(0, 1));
  await sort("archive", ids.slice(0, 1));
  const undone = await undoSort(archived?.["change"], "unarchive");
  expect(undone).toEqual({ changed: 2, change: expect.any(String), one: null });
  expect(await undoSort(archived?.["change"], "unarchive")).toEqual(undone);
  expect(await undoSort(undone?.["change"], "archive")).toMatchObject({ changed: 2 });
  const nothing = { changed: 0, change: null, one: null };
  expect(await undoSort(undone?.["change"], "unspam")).toEqual(nothing);
});

const sortIn = (action: string, box: string, some: string[], account = owner) =>
  call("select * from public.sort_messages($1, $2, $3)", [action, some, box], account);

test("messages that left their box are refused, unless all of them left it by the same action", async () => {
  const ids = await store(database, [{ message: "1" }, { message: "2" }, { message: "3" }]);
  const trashed = await sortIn("trash", "all", ids.slice(0, 2));
  expect(await sortIn("trash", "all", ids.slice(0, 2))).toEqual(trashed);
  const refused = { code: "PT409" };
  await expect(sortIn("archive", "all", ids.slice(0, 2))).rejects.toMatchObject(refused);
  await expect(sortIn("trash", "all", ids)).rejects.toMatchObject(refused);
  await expect(sortIn("trash", "all", ids.slice(0, 2), stranger)).rejects.toMatchObject(refused);
  await sort("restore", ids.slice(0, 1));
  await expect(sortIn("trash", "all", ids.slice(0, 2))).rejects.toMatchObject(refused);
});

test("an undo leaves alone what another caller changes at the same moment", async () => {
  const ids = await store(database, [{ message: "1" }, { message: "2" }, { message: "3" }]);
  const archived = await call("select * from public.sort_messages($1, $2)", ["archive", ids]);
  let undoing: ReturnType<typeof undoSort> | undefined;
  // The undo waits for the row that this transaction holds, and reads it again afterwards.
  await asAccount(database, owner, async (sql) => {
    await sql`select public.sort_messages('unarchive', ${ids.slice(0, 1)})`;
    await sql`select public.sort_messages('archive', ${ids.slice(0, 1)})`;
    undoing = undoSort(archived?.["change"], "unarchive");
    await expect.poll(waits).toBe(1);
  });
  expect(await undoing).toMatchObject({ changed: 2 });
  expect(await counts()).toEqual([2, 2, 1, 0, 0]);
});

// security/roles.test.ts tests that only the owner may do it.
test("the note is the one that was saved last, and is no part of an undo", async () => {
  const [id = ""] = await store(database, [{ message: "1", note: "أولى" }]);
  const archived = await call("select * from public.sort_messages($1, $2)", ["archive", [id]]);
  for (const note of ["ثانية", "ثالثة", null]) {
    const saved = await call("select public.save_note($1, $2) as is_saved", [id, note]);
    expect(saved).toEqual({ is_saved: true });
    expect(await database.sql`select note from public.contact_messages`).toEqual([{ note }]);
  }
  // A note does not change the state.
  expect(await undoSort(archived?.["change"], "unarchive")).toMatchObject({ changed: 1 });
});

const most = 10_000;

async function waiting(): Promise<number> {
  const [row] = await database.sql`
    select count(*)::integer from public.contact_messages where state = 'waiting'`;
  return row?.["count"];
}

const sortBox = (account: string, ...values: string[]) =>
  call("select * from public.sort_box($1, $2, $3)", values, account);

test("a box is cleaned up as it was shown, at most 10,000 of it, in one change with one undo", async () => {
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
  expect(done?.["changed"]).toBe(most);
  // The oldest one is beyond the limit.
  expect(await waiting()).toBe(3);
  const undo = [done?.["change"] ?? "", "unarchive"];
  const undone = await call("select * from public.undo_sort($1, $2)", undo);
  expect(undone?.["changed"]).toBe(most);
  expect(await waiting()).toBe(most + 3);
  await expect(sortBox(owner, "archive", "any", until)).rejects.toMatchObject({ code: "PT400" });
});
