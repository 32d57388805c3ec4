import { createHash } from "node:crypto";
import { afterAll, beforeEach, expect, test } from "vitest";
import { asAccount, startInbox, store } from "#tests/support/inbox.ts";
import { asRole } from "#tests/support/messages.ts";
import { valuesOf } from "#tests/support/values.ts";

const { database, owner, stranger, counts } = await startInbox();
afterAll(() => database.close());
beforeEach(async () => {
  await database.sql`delete from public.contact_messages`;
});

/** The ids of the messages that changed. */
async function sort(action: string | null, ids: string[], account = owner) {
  const change = await asAccount(database, account, async (sql) => {
    const [row] = await sql`select * from public.sort_messages(${action}, ${ids}, null)`;
    return row;
  });
  const rows = await database.sql`
    select message_id as id from private.changes where id = ${change?.["change"] ?? null}`;
  expect(rows).toHaveLength(change?.["changed"]);
  return rows.map(({ id }) => id);
}

async function call(statement: string, values: (string | string[] | null)[], account = owner) {
  const [row] = await asAccount(database, account, (sql) => sql.unsafe(statement, values));
  return row;
}

const undoSort = (change: string, action: string) =>
  call("select * from public.undo_sort($1, $2)", [change, action]);

const save = (id: string, note: string, seen: string | null = null) => {
  const stamp = seen === null ? "" : createHash("md5").update(seen).digest("hex");
  return call("select * from public.save_note($1, $2, $3)", [id, stamp, note]);
};

const kept = async () => await database.sql`select * from private.changes`;

test.each([
  ["answer", "unanswer", [3, 2, 0, 0, 0]],
  ["archive", "unarchive", [2, 2, 1, 0, 0]],
  ["spam", "unspam", [2, 2, 0, 1, 0]],
  ["trash", "restore", [2, 2, 0, 0, 1]],
])("%s moves a message, %s moves it back, each once", async (action, undo, after) => {
  const [first = ""] = await store(database, [
    { message: "1" },
    { message: "2" },
    { message: "3" },
  ]);
  expect(await counts()).toEqual([3, 3, 0, 0, 0]);
  expect(await sort(undo, [first])).toEqual([]);
  expect(await sort(action, [first])).toEqual([first]);
  expect(await sort(action, [first])).toEqual([]);
  expect(await counts()).toEqual(after);
  expect(await sort(undo, [first])).toEqual([first]);
  expect(await counts()).toEqual([3, 3, 0, 0, 0]);
});

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
  const all = [spam, trash, archived, "00000000-0000-4000-8000-000000000000"];
  expect(await sort("answer", [spam, trash])).toEqual([]);
  expect(await sort("archive", all)).toEqual([]);
  expect(await sort("unspam", [trash, archived])).toEqual([]);
  expect(await sort("spam", all)).toEqual([archived]);
  expect((await sort("trash", all)).toSorted()).toEqual([spam, archived].toSorted());
  expect(await counts()).toEqual([0, 0, 0, 0, 3]);
  expect((await sort("restore", all)).length).toBe(3);
  // Each is back where it was, and the one that was trash from the start waits.
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

test("two callers with the same messages do not deadlock", async () => {
  const ids = await store(
    database,
    Array.from({ length: 50 }, (_, i) => ({ message: `م ${i}` })),
  );
  const changed = await Promise.all([
    sort("answer", ids),
    sort("answer", ids.toReversed()),
    sort("archive", ids.toSorted()),
    sort("archive", ids),
  ]);
  expect(changed.map((list) => list.length).toSorted((a, b) => a - b)).toEqual([0, 0, 50, 50]);
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

test("a change can be undone for a day, unless its message is deleted", async () => {
  const [old = "", gone = "", id = ""] = await store(database, [
    { message: "1" },
    { message: "2" },
    { message: "3" },
  ]);
  await save(old, "قديمة");
  await save(gone, "محذوفة");
  await sort("archive", [old, gone]);
  expect(await kept()).toHaveLength(4);
  await database.sql`delete from public.contact_messages where id = ${gone}`;
  expect(await kept()).toHaveLength(2);
  await database.sql`update private.changes set made_at = made_at - interval '25 hours'`;
  await save(id, "جديدة");
  await sort("unarchive", [old]);
  await asRole(database.sql, { role: "service_role" }, (sql) => sql`select public.sweep()`);
  const left = (await kept()).map((row) => row["message_id"]);
  expect(left.toSorted()).toEqual([id, old].toSorted());
});

test("an action is undone once, for messages that were not changed since", async () => {
  const ids = await store(database, [{ message: "1" }, { message: "2" }, { message: "3" }]);
  const archived = await call("select * from public.sort_messages($1, $2, null)", ["archive", ids]);
  await sort("unarchive", ids.slice(0, 1));
  await sort("archive", ids.slice(0, 1));
  const undone = await undoSort(archived?.["change"], "unarchive");
  expect(undone).toEqual({ changed: 2, change: expect.any(String) });
  expect(await undoSort(archived?.["change"], "unarchive")).toEqual({ changed: 0, change: null });
  expect(await undoSort(undone?.["change"], "archive")).toMatchObject({ changed: 2 });
});

test("only the owner can read or write changes that can be undone", async () => {
  const [id = ""] = await store(database, [{ message: "1", note: "سرّ" }]);
  await save(id, "غيره", "سرّ");
  const read = (account: string) =>
    asAccount(database, account, (sql) => sql`select former_note from private.changes`);
  expect(await read(owner)).toEqual([{ former_note: "سرّ" }]);
  expect(await read(stranger)).toEqual([]);
  await expect(
    call(
      "insert into private.changes (message_id, of_note, id) values ($1, false, $1)",
      [id],
      stranger,
    ),
  ).rejects.toMatchObject({ code: "42501" });
});
