import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { noteStamp } from "#app/models/inbox-work.server.ts";
import { type Api, openApi } from "#tests/support/api.ts";
import { type RunningSite, startSite } from "#tests/support/site.ts";
import { type Answer, signedUp, type Visitor } from "#tests/support/visitor.ts";

let site: RunningSite;
let api: Api;
let owner: Visitor;
beforeAll(async () => {
  site = await startSite();
  api = await openApi(site);
  const visitor = await signedUp(site);
  await api.claim(visitor.session().access_token);
  owner = visitor;
}, 60_000);
afterAll(() => site?.stop());
beforeEach(() => api.send(api.service, "DELETE", `${rows}?name=like.*`));

const rows = "/rest/v1/contact_messages";

async function store(state: object = {}): Promise<string> {
  const message = { name: "زائر", email: "a@example.com", message: randomUUID(), ...state };
  const headers = { Prefer: "return=representation" };
  const { json } = await api.send(api.service, "POST", `${rows}?select=id`, message, headers);
  return json[0].id;
}

async function noteOf(id: string): Promise<string | null> {
  return (await api.send(api.service, "GET", `${rows}?select=note&id=eq.${id}`)).json[0].note;
}

/** Saves a note as the page does that showed `seen`. */
const save = (id: string, note: string, seen: string | null = null, path = "/admin", by = owner) =>
  by.post(path, { id, note, stamp: noteStamp(seen) });

const doneOf = ({ headers }: Answer) =>
  new URL(headers.location ?? "", site.url).searchParams.get("done") ?? "";

const undo = (done: string, by = owner) => by.post("/admin", { undo: done });

/** The last alert: the first says that the connection is away, and is shown by scripts. */
const alertOf = ({ text }: Answer) =>
  Array.from(text.matchAll(/role="alert"[^>]*>(?:<[^>]*>)*([^<]*)/g)).at(-1)?.[1];

describe("an undo", () => {
  test("of a note writes the one before, and undoes itself", async () => {
    const id = await store({ note: "الأصل" });
    const saved = await save(id, "الجديدة", "الأصل", "/admin?box=waiting");
    const page = await owner.get(saved.headers.location ?? "");
    expect(page.text.includes("حُفظت الملاحظة")).toBe(true);
    expect(page.text).toMatch(
      new RegExp(`<button(?=[^>]*name="undo")[^>]*value="${doneOf(saved)}"`),
    );
    const undone = await owner.post("/admin?box=waiting", { undo: doneOf(saved) });
    expect([undone.status, await noteOf(id)]).toEqual([302, "الأصل"]);
    expect((await owner.get(undone.headers.location ?? "")).text).toContain(
      "عادت الملاحظة كما كانت",
    );
    expect((await undo(doneOf(undone))).status).toBe(302);
    expect(await noteOf(id)).toBe("الجديدة");
    expect((await undo(doneOf(await save(id, "", "الجديدة")))).status).toBe(302);
    expect(await noteOf(id)).toBe("الجديدة");
  });

  test("that is used, or that comes after another change, does nothing and says so", async () => {
    const id = await store();
    const said = "تراجعت عن هذا من قبل، أو جاء بعده تغيير آخر";
    const saved = doneOf(await save(id, "أولى"));
    expect((await undo(saved)).status).toBe(302);
    await save(id, "ثانية");
    const archived = doneOf(await owner.post("/admin", { one: `archive:${id}` }));
    expect((await undo(archived)).status).toBe(302);
    await owner.post("/admin", { one: `archive:${id}` });
    for (const token of [saved, archived]) {
      const late = await undo(token);
      expect([late.status, alertOf(late)]).toEqual([409, expect.stringContaining(said)]);
    }
    const { json } = await api.send(api.service, "GET", `${rows}?select=note,archived_at`);
    expect(json).toEqual([{ note: "ثانية", archived_at: expect.any(String) }]);
  });

  test("that is pressed twice at once changes once", async () => {
    const id = await store();
    const token = doneOf(await owner.post("/admin", { one: `trash:${id}` }));
    const answers = await Promise.all(Array.from({ length: 6 }, () => undo(token)));
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([302, 409, 409, 409, 409, 409]);
  });

  test("leaves what was changed since as it is, and does the rest", async () => {
    const ids = [await store(), await store(), await store()];
    const form = ids.map((id): [string, string] => ["ids", id]);
    const done = doneOf(await owner.post("/admin", [["action", "answer"], ...form]));
    await owner.post("/admin", { one: `archive:${ids[0]}` });
    const undone = await undo(done);
    expect((await owner.get(undone.headers.location ?? "")).text).toContain(
      "صارت رسالتان بانتظار ردك",
    );
    const { json } = await api.send(api.service, "GET", `${rows}?answered_at=not.is.null`);
    expect(json.map(({ id }: { id: string }) => id)).toEqual([ids[0]]);
  });

  test("is the owner's alone, whatever the token says", async () => {
    const id = await store();
    const token = doneOf(await save(id, "لي"));
    const stranger = await signedUp(site);
    for (const text of [token, "AAAA", ""]) {
      const refused = await undo(text, stranger);
      expect([refused.status, refused.text.includes("تراجعت")]).toEqual([403, false]);
    }
    expect((await undo("AAAA")).status).toBe(409);
    expect(await noteOf(id)).toBe("لي");
  });
});
