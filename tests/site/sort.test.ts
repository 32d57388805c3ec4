import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { readMessages } from "#tests/support/messages.ts";
import { useOwnedInbox } from "#tests/support/owned-inbox.ts";
import type { Answer } from "#tests/support/visitor.ts";

const { site, owner, sql, store, next } = useOwnedInbox();
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
    await sql("alter function public.read_inbox rename to not_read_inbox");
    const answer = await owner.post("/admin");
    await sql("alter function public.not_read_inbox rename to read_inbox");
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

  test("an id of another box is refused, and the others stay chosen", async () => {
    const [here = ""] = await store(1);
    const states: [string, object][] = [
      ["/admin", { archived_at: now }],
      ["/admin?box=waiting", { answered_at: now }],
      ["/admin?box=spam", {}],
      ["/admin?box=archived", { deleted_at: now, archived_at: now }],
      ["/admin?box=trash", { spam_signs: ["links"] }],
    ];
    for (const [path, state] of states) {
      const [there = ""] = await store(1, state);
      const before = await stored();
      const answer = await choose(path, path.includes("trash") ? "restore" : "trash", [
        here,
        there,
      ]);
      expect([path, answer.status]).toEqual([path, 409]);
      expect(answer.text).toContain(notHere);
      expect(await stored()).toEqual(before);
    }
    const answer = await choose("/admin", "trash", [here, randomUUID()]);
    expect(isChecked(answer, here)).toBe(true);
  });

  test("an action that is already done is refused", async () => {
    const ids = await store(2, { answered_at: now });
    const answer = await choose("/admin", "answer", ids);
    expect([answer.status, answer.text.includes("هي كذلك من قبل")]).toEqual([409, true]);
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
