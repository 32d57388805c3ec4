import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { actionLabels } from "#app/routes/admin/message-texts.ts";
import { readMessages } from "#tests/support/messages.ts";
import { without } from "#tests/support/superuser.ts";
import type { Answer } from "#tests/support/visitor.ts";
import { alertOf, useOwnedInbox } from "./owned-inbox.ts";

const { site, owner, sql, store, storeOne, noteOf, save, undo, next, doneOf } = useOwnedInbox();
const now = new Date().toISOString();

const stored = () => readMessages(site.dataDir);

const choose = (path: string, action: string, ids: string[], visitor = owner) =>
  visitor.post(path, [["action", action], ...ids.map((id): [string, string] => ["ids", id])]);

const isChecked = ({ text }: Answer, id: string) =>
  text
    .match(/<input[^>]*name="ids"[^>]*>/g)
    ?.some((tag) => tag.includes(id) && tag.includes("checked"));

describe("an invalid form is refused in place, and changes nothing", () => {
  const one = "رسالة واحدة على الأقل";
  const many = "١٠٠ رسالة على الأكثر";
  const unknown = "هذه الرسالة غير معروفة";
  const notHere = "لم تعد في هذا الصندوق";

  test.each<[what: string, form: Record<string, string>, status: number, text: string]>([
    ["nothing chosen", { action: "archive" }, 400, one],
    ["no action", { ids: randomUUID() }, 400, "هذا الإجراء غير معروف"],
    ["an action of Object", { action: "constructor", one: randomUUID() }, 400, "غير معروف"],
    ["no id", { action: "archive", one: "x" }, 400, unknown],
    ["a foreign id", { action: "archive", one: randomUUID() }, 409, notHere],
    ["a forged undo", { undo: "AAAA" }, 409, "لا يمكن التراجع بعد الآن"],
    ["an empty form", {}, 400, "غير معروف"],
  ])("%s", async (_what, form, status, text) => {
    await store(2);
    const before = await stored();
    const answer = await owner.post("/admin", form);
    expect(answer.status).toBe(status);
    expect(answer.text).toMatch(new RegExp(`role="alert"[^>]*><[^>]*>[^<]*${text}`));
    expect(await stored()).toEqual(before);
  });

  test("or, while its page cannot be read, on one of its own", async () => {
    const answer = await without(site, "read_inbox", () => owner.post("/admin"));
    expect([answer.status, answer.text.includes("بسبب عطل مؤقت")]).toEqual([503, true]);
  });

  test("more messages than an open board has are refused, and stay chosen", async () => {
    const ids = await store(101);
    const before = await stored();
    const answer = await choose("/admin", "trash", ids);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain(many);
    expect(ids.filter((id) => isChecked(answer, id))).toHaveLength(50);
    expect(await stored()).toEqual(before);
  });
});

test("the way back keeps the list, and drops every address outside of the board", async () => {
  const ids = await store(2, { archived_at: now });
  const before = `${encodeURIComponent(`2100-01-01T00:00:00+00:00_${randomUUID()}`)}`;
  const path = `/admin?box=archived&before=${before}&done=x&next=https://evil.example&box=spam`;
  const back = next(await choose(path, "unarchive", ids));
  expect([...back.searchParams.keys()]).toEqual(["box", "before", "done"]);
  expect([back.origin, back.pathname, back.searchParams.get("box")]).toEqual([
    site.url,
    "/admin",
    "archived",
  ]);
  const page = await owner.get(back.pathname + back.search);
  expect(page.text).toContain("عادت رسالتان من الأرشيف");
});

const states = async () => {
  const rows = await sql(
    "select state, count(*)::integer from public.contact_messages group by 1 order by 1",
  );
  return rows.map(({ state, count }) => [state, count]);
};

/** What the checkbox of the selection's bar sends. */
async function untilOf(path: string): Promise<string> {
  const { text } = await owner.get(path);
  return /name="until" value="([^"]+)"/.exec(text)?.[1] ?? "";
}

test("without scripts the whole box is answered, but for what came since, and taken back", async () => {
  await store(60);
  const { text } = await owner.get("/admin?select=1");
  expect(text).toContain("كل الصندوق (<!-- -->٦٠<!-- -->)");
  const until = await untilOf("/admin?select=1");
  await store(1, { created_at: new Date(Date.now() + 60_000) });
  const answer = await owner.post("/admin", { action: "answer", until });
  expect(answer.status).toBe(302);
  expect(await states()).toEqual([
    ["answered", 60],
    ["waiting", 1],
  ]);
  expect((await undo(doneOf(answer))).status).toBe(302);
  expect(await states()).toEqual([["waiting", 61]]);
});

test("a search has no whole, nor has a box that the page shows whole", async () => {
  await store(60);
  expect(await untilOf(encodeURI("/admin?select=1&q=رسالة"))).toBe("");
  const until = await untilOf("/admin?select=1");
  const refused = await owner.post(encodeURI("/admin?q=رسالة"), { action: "trash", until });
  expect([refused.status, alertOf(refused)]).toEqual([400, "حدّد رسائل من نتائج البحث"]);
  expect((await owner.post("/admin", { action: "unspam", until })).status).toBe(400);
  expect(await states()).toEqual([["waiting", 60]]);
  expect(await untilOf("/admin?select=1&box=trash")).toBe("");
});

test("a button that is pressed twice before its page comes says what the first press did", async () => {
  const ids = await store(60);
  const until = await untilOf("/admin?select=1");
  const forms: [form: [string, string][], said: string][] = [
    [
      [
        ["action", "archive"],
        ["one", ids[0] ?? ""],
      ],
      "أُرشفت رسالة واحدة",
    ],
    [
      [["action", "trash"], ...ids.slice(1, 4).map((id): [string, string] => ["ids", id])],
      "نُقلت ٣ رسائل إلى المهملات",
    ],
    [
      [
        ["action", "archive"],
        ["until", until],
      ],
      "أُرشفت ٦٠ رسالة",
    ],
  ];
  for (const [form, said] of forms) {
    const first = await owner.post("/admin", form);
    const again = await owner.post("/admin", form);
    expect([again.status, again.headers.location]).toEqual([302, first.headers.location]);
    expect((await owner.get(again.headers.location ?? "")).text).toContain(said);
    await undo(doneOf(first));
    const undone = await undo(doneOf(first));
    expect([undone.status, await states()]).toEqual([302, [["waiting", 60]]]);
  }
});

test("an action that changes nothing is refused", async () => {
  const ids = await store(2);
  await choose("/admin", "answer", ids);
  // This one may be in any state.
  const search = encodeURI("/admin?q=رسالة&box=any");
  const refused = await choose(search, "answer", ids.slice(1));
  expect([refused.status, alertOf(refused)]).toEqual([409, "هي كذلك من قبل."]);
});

test("a notice comes from the address, and an address of 2.0.0 has none", async () => {
  const change = randomUUID();
  const { text } = await owner.get(`/admin?done=archive.3.${change}`);
  expect(text).toContain("أُرشفت ٣ رسائل");
  const old = "archive.3.m9x2k1.AZqwsxedcrfvtgbyhnujmQ.c2lnbmF0dXJl";
  const others = [old, `archive.0.${change}`, `constructor.1.${change}`, "archive.1.x", "a.b", ""];
  for (const done of [...others, `archive.3.${change}.x`]) {
    const page = await owner.get(`/admin?${new URLSearchParams({ done })}`);
    expect([done, page.status, page.text.includes('id="notice"')]).toEqual([done, 200, false]);
  }
  const answer = await undo(old);
  expect([answer.status, alertOf(answer)]).toEqual([
    409,
    expect.stringContaining("لا يمكن التراجع"),
  ]);
  expect((await undo(`archive.3.${change}`)).status).toBe(409);
});

test("an undo of one message opens it again", async () => {
  const id = await storeOne();
  await store(2);
  const done = await owner.post("/admin", { action: "archive", one: id });
  expect(next(done).searchParams.get("open")).toBeNull();
  expect(next(await undo(doneOf(done))).searchParams.get("open")).toBe(id);
});

/** The actions of each box, the box to which each leads, and what is said of it. */
test.each([
  ["archive", "all", "archived", {}, "أُرشفت رسالة واحدة"],
  ["unarchive", "archived", "all", { archived_at: now }, "عادت رسالة واحدة من الأرشيف"],
  ["spam", "all", "spam", {}, "نُقلت رسالة واحدة إلى المزعجة"],
  ["unspam", "spam", "all", { spam_signs: ["links"] }, "عادت رسالة واحدة إلى «الرسائل»"],
  ["trash", "waiting", "trash", {}, "نُقلت رسالة واحدة إلى المهملات"],
  ["restore", "trash", "all", { deleted_at: now }, "استُعيدت رسالة واحدة"],
] as const)(
  "%s of an open message in %s is a button, leads to %s, and is confirmed",
  async (action, box, into, state, said) => {
    const id = await storeOne(state);
    const path = `/admin?box=${box}&open=${id}`;
    const button = new RegExp(`<button[^>]*value="${action}"[^>]*>.*?${actionLabels[action]}`);
    expect((await owner.get(path)).text).toMatch(button);
    const done = await owner.post(path, { action, one: id });
    const page = await owner.get(done.headers.location ?? "");
    expect([page.text.includes(said), page.text.includes(`m-${id}`)]).toEqual([true, false]);
    expect((await owner.get(`/admin?box=${into}`)).text).toContain(`m-${id}`);
  },
);

describe("a note", () => {
  test("is saved over the one before, and an empty one deletes it, without an undo", async () => {
    const id = await storeOne({ note: "أولى" });
    for (const [text, said] of [
      ["ثانية", "حُفظت الملاحظة"],
      ["ثانية", "حُفظت الملاحظة"],
      ["ثالثة", "حُفظت الملاحظة"],
      [" ", "حُذفت الملاحظة"],
    ] as const) {
      const saved = await save(id, text);
      expect([saved.status, await noteOf(id)]).toEqual([302, text.trim() || null]);
      const page = await owner.get(saved.headers.location ?? "");
      expect([page.text.includes(said), page.text.includes('name="undo"')]).toEqual([true, false]);
      const late = await undo(doneOf(saved));
      expect([late.status, alertOf(late)]).toEqual([
        409,
        "لا يمكن التراجع بعد الآن. غيّر الرسائل من صندوقها.",
      ]);
    }
  });

  test("keeps its text, also if the message was deleted", async () => {
    const gone = await save(randomUUID(), "نص");
    expect([gone.status, alertOf(gone)]).toEqual([409, "لم تُحفظ الملاحظة: حُذفت الرسالة نهائيًا."]);
    expect(gone.text).toContain(">نص</blockquote>");
    const id = await storeOne({ created_at: "2020-01-01T00:00:00Z" });
    await store(50);
    const long = "ن".repeat(2001);
    const refused = await save(id, long);
    expect([refused.status, alertOf(refused)]).toEqual([400, "الملاحظة طويلة: ٢٬٠٠٠ حرف على الأكثر"]);
    expect(refused.text).toContain(`>${long}</textarea>`);
  });
});

test("an undo after another change does nothing and says so", async () => {
  const id = await storeOne();
  const archived = doneOf(await owner.post("/admin", { action: "archive", one: id }));
  await owner.post("/admin", { action: "unarchive", one: id });
  const late = await undo(archived);
  expect([late.status, alertOf(late)]).toEqual([409, "لا يمكن التراجع عن هذا: جاء بعده تغيير آخر."]);
  expect(await readMessages(site.dataDir)).toMatchObject([{ archived_at: null }]);
});

test("a note is refused with a reason where nobody owns the inbox, and keeps its text", async () => {
  await sql("delete from private.site_owner");
  const id = await storeOne();
  const refused = await save(id, "ملاحظتي");
  expect(refused.status).toBe(403);
  expect(alertOf(refused)).toContain("لا يغيّر الرسائل إلا صاحب الصندوق");
  expect(refused.text).toContain(">ملاحظتي</textarea>");
  const scripted = await save(id, "ملاحظتي", "/admin.data?");
  expect([scripted.status, scripted.text.includes("إلا صاحب الصندوق")]).toEqual([403, true]);
});
