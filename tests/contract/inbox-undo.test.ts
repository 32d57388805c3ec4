import { createHash } from "node:crypto";
import { afterAll, beforeEach, expect, test } from "vitest";
import { asAccount, startInbox, store } from "#tests/support/inbox.ts";

const { database, owner, stranger } = await startInbox();
afterAll(() => database.close());
beforeEach(async () => {
  await database.sql`delete from public.contact_messages`;
});

const stamp = (note: string | null) =>
  note === null ? "" : createHash("md5").update(note).digest("hex");

async function call(statement: string, values: (string | string[] | null)[], account = owner) {
  const [row] = await asAccount(database, account, (sql) => sql.unsafe(statement, values));
  return row;
}

const save = (id: string, note: string | null, seen: string | null, account = owner) =>
  call("select * from public.save_note($1, $2, $3)", [id, stamp(seen), note], account);

const undo = async (change: string, account = owner) =>
  (await call("select public.undo_note($1) as change", [change], account))?.["change"];

const sort = (action: string, ids: string[], box: string | null = null) =>
  call("select * from public.sort_messages($1, $2, $3)", [action, ids, box]);

const undoSort = (change: string, action: string) =>
  call("select * from public.undo_sort($1, $2)", [change, action]);

const notes = async () =>
  (await database.sql`select note from public.contact_messages order by message`).map(
    ({ note }) => note,
  );

const kept = async () => await database.sql`select * from private.changes`;

test("a note replaces the one that was seen, is undone, and the undo is undone", async () => {
  const [id = "", other = ""] = await store(database, [{ message: "1" }, { message: "2" }]);
  const first = await save(id, "أولى", null);
  expect(first).toMatchObject({ is_here: true, stored: "أولى", change: expect.any(String) });
  expect(await save(id, "ثانية", null)).toEqual({ is_here: true, stored: "أولى", change: null });
  const second = await save(id, "ثانية", "أولى");
  await save(other, "غيرها", null);
  expect(await undo(first?.["change"])).toBeNull();
  const undone = await undo(second?.["change"]);
  expect(await notes()).toEqual(["أولى", "غيرها"]);
  expect(await undo(second?.["change"])).toBeNull();
  expect(await undo(undone)).toEqual(expect.any(String));
  expect(await notes()).toEqual(["ثانية", "غيرها"]);
});

test("saving an equal note is no change, whatever its page saw", async () => {
  const [id = ""] = await store(database, [{ message: "1" }]);
  await save(id, "أولى", null);
  const second = await save(id, "ثانية", "أولى");
  for (const seen of ["ثانية", "أولى", null]) {
    const again = await save(id, "ثانية", seen);
    expect(again).toEqual({ is_here: true, stored: "ثانية", change: null });
  }
  expect(await undo(second?.["change"])).toEqual(expect.any(String));
  expect(await notes()).toEqual(["أولى"]);
});

test("a note that was changed elsewhere since is not undone", async () => {
  const [id = ""] = await store(database, [{ message: "1" }]);
  const saved = await save(id, "أولى", null);
  await database.sql`update public.contact_messages set note = 'في المحرّر'`;
  expect(await undo(saved?.["change"])).toBeNull();
  expect(await notes()).toEqual(["في المحرّر"]);
});

test("a change can be undone for a day, unless its message is deleted", async () => {
  const [old = "", gone = "", id = ""] = await store(database, [
    { message: "1" },
    { message: "2" },
    { message: "3" },
  ]);
  await save(old, "قديمة", null);
  await save(gone, "محذوفة", null);
  await sort("archive", [old, gone]);
  expect(await kept()).toHaveLength(4);
  await database.sql`delete from public.contact_messages where id = ${gone}`;
  expect(await kept()).toHaveLength(2);
  await database.sql`update private.changes set made_at = made_at - interval '25 hours'`;
  await save(id, "جديدة", null);
  expect((await kept()).map((row) => row["message_id"])).toEqual([id]);
});

test("an action is undone once, for messages that were not changed since", async () => {
  const ids = await store(database, [{ message: "1" }, { message: "2" }, { message: "3" }]);
  const archived = await sort("archive", ids);
  await sort("unarchive", ids.slice(0, 1));
  await sort("archive", ids.slice(0, 1));
  const undone = await undoSort(archived?.["change"], "unarchive");
  expect(undone).toEqual({ changed: 2, change: expect.any(String) });
  expect(await undoSort(archived?.["change"], "unarchive")).toEqual({ changed: 0, change: null });
  expect(await undoSort(undone?.["change"], "archive")).toMatchObject({ changed: 2 });
});

test("one message that is not in the box leaves all messages unchanged", async () => {
  const ids = await store(database, [
    { message: "1" },
    { message: "2", answered_at: new Date() },
    { message: "3", archived_at: new Date() },
    { message: "4", spam_signs: ["trap"], archived_at: new Date() },
    { message: "5", deleted_at: new Date(), spam_signs: ["trap"] },
  ]);
  const inBox: Record<string, number[]> = {
    all: [0, 1],
    waiting: [0],
    archived: [2],
    spam: [3],
    trash: [4],
    any: [0, 1, 2, 3, 4],
    "no such box": [],
  };
  for (const [box, inside] of Object.entries(inBox)) {
    const found: number[] = [];
    for (const [index, id] of ids.entries()) {
      // Already in that state, so that only the box is checked.
      const asked = sort(index === 4 ? "trash" : "restore", [id], box);
      await asked.then(
        () => found.push(index),
        ({ code }) => expect(code).toBe("PT409"),
      );
    }
    expect([box, found]).toEqual([box, inside]);
  }
  const nowhere = "00000000-0000-4000-8000-000000000000";
  for (const [some, box] of [
    [ids, "all"],
    [[...ids.slice(0, 1), nowhere], "any"],
  ] as const) {
    await expect(sort("trash", [...some], box)).rejects.toMatchObject({ code: "PT409" });
  }
  expect(await kept()).toEqual([]);
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
