import { randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { injections } from "#tests/support/injections.ts";
import { cookieOf, openTab } from "#tests/support/live.ts";
import { readMessages } from "#tests/support/messages.ts";
import { useApi, useClaimedSite } from "#tests/support/use-site.ts";
import { setUpFactor } from "#tests/support/visitor-factor.ts";
import { hidden, newCredentials, signedIn, signedUp, Visitor } from "#tests/support/visitor.ts";

const { site, owner } = useClaimedSite();
const { credentials } = owner;
const api = useApi(site);
let id: string;
beforeEach(async () => {
  const message = { name: "زائر", email: "a@example.com", message: randomUUID() };
  ({ id } = await api.store(message));
});

const stored = async () => (await readMessages(site.dataDir)).find((row) => row.id === id);
const note = 'سرّي <b>"جدًا"\nفي سطرين';
const list = "/admin?q=%D8%B2%D8%A7%D8%A6%D8%B1&box=waiting";
const signIn = `/auth?${new URLSearchParams({ next: list })}`;

/** The ways in which a session ends while a page is open. */
const ends: Record<string, (visitor: Visitor) => unknown> = {
  "was ended on another device": (visitor) =>
    api.send(api.as(visitor.session().access_token), "POST", "/auth/v1/logout?scope=local"),
  "has lost its cookie": (visitor) => visitor.cookies.clear(),
  "was signed out in another tab": (visitor) => visitor.post("/sign-out"),
};

const unescape = (html: string) =>
  html
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");

for (const [how, end] of Object.entries(ends)) {
  test(`a note of a session that ${how} is shown again, on a page that leads to sign-in and back`, async () => {
    const visitor = await signedIn(site, credentials);
    await end(visitor);
    const refused = await visitor.post(list, { id, note });
    expect(refused.status).toBe(401);
    const text = unescape(refused.text);
    expect(text).toContain("لم يُحفظ ما كتبته لأن جلستك انتهت");
    expect(text).toContain(`>${note}</textarea>`);
    expect(text).toContain(`href="${signIn}"`);
    expect(text).toContain(`href="${list}"`);
    expect(injections(refused.text)).toEqual([]);
    // Only the page has the note.
    expect(JSON.stringify(refused.headers)).not.toContain(encodeURIComponent("سرّي"));
    expect(refused.headers["cache-control"]).toBe("private, no-store, no-transform");
    expect(site.output()).not.toContain("سرّي");

    expect((await visitor.post(signIn, credentials)).headers.location).toContain(list);
    const again = await visitor.post(list, { id: hidden(refused.text, "id"), note });
    expect([again.status, (await stored())?.note]).toEqual([302, note]);
  });
}

test("the days of an absence of an ended session are shown again", async () => {
  const visitor = new Visitor(site);
  const days = { first: "2030-12-01", last: "2030-12-05" };
  const refused = await visitor.post("/account", { action: "add-absence", ...days });
  expect(refused.status).toBe(401);
  for (const text of ["أول يوم", "آخر يوم", ...Object.values(days)]) {
    expect(refused.text).toContain(text);
  }
  // Nobody typed the one that ends.
  const ended = await visitor.post("/account", { action: "end-absence", absence: days.first });
  expect(ended.status).toBe(302);
});

test("an action of a session that was ended on another device leads to sign-in, with the reason, and back", async () => {
  const visitor = await signedIn(site, credentials);
  await ends["was ended on another device"]?.(visitor);
  visitor.cookies.delete("toast");
  // A script's form is refused with the reason, because its page stays.
  const refused = await visitor.post(list.replace("/admin", "/admin.data"), { id, note });
  expect([refused.status, refused.text]).toEqual([401, expect.stringContaining('"ended"')]);
  const answer = await visitor.post(list, { action: "archive", one: id });
  expect([answer.status, answer.headers.location]).toEqual([302, expect.stringContaining(signIn)]);
  expect((await visitor.get(signIn)).text).toContain("انتهت جلستك، سجّل الدخول من جديد.");
  expect((await visitor.post(signIn, credentials)).headers.location).toContain(list);
  expect(await stored()).toMatchObject({ note: null, archived_at: null, deleted_at: null });
});

test("a note of a session before its code is shown again, on a page that leads to the code and back", async () => {
  const other = newCredentials();
  const { app } = await setUpFactor(await signedUp(site, other), other.password);
  const visitor = new Visitor(site);
  expect((await visitor.post("/auth", other)).headers.location).toContain("code");
  for (const path of ["/admin", "/account", "/account/password", "/account/email"]) {
    const { location } = (await visitor.get(path)).headers;
    expect(location).toBe(`/auth/code?next=${encodeURIComponent(path)}`);
  }
  const refused = await visitor.post(list, { id, note });
  expect(refused.status).toBe(401);
  const text = unescape(refused.text);
  expect(text).toContain("لم يُحفظ ما كتبته لأن دخولك ينتظر رمز التحقق");
  expect(text).toContain(`>${note}</textarea>`);
  expect(text).toContain(`href="${signIn}"`);
  expect(JSON.stringify(refused.headers)).not.toContain(encodeURIComponent("سرّي"));

  // The link leads to the code, and the code to the list.
  const { location = "" } = (await visitor.get(signIn)).headers;
  const step = (await visitor.get(location)).headers.location ?? "";
  expect(step).toContain("/auth/code?next=");
  const entered = await visitor.post(step, { code: app.code() });
  expect([entered.status, entered.headers.location]).toEqual([302, list]);
});

test("a list without a session leads to sign-in and back", async () => {
  const visitor = new Visitor(site);
  expect((await visitor.get(list)).headers.location).toBe(signIn);
  expect((await visitor.get("/admin")).headers.location).toBe("/auth");
});

test("the socket of an open board leaves the reason and the way back to its page", async () => {
  const visitor = await signedIn(site, credentials);
  await ends["was ended on another device"]?.(visitor);
  // The toast is of the sign-in.
  visitor.cookies.delete("toast");
  const tab = openTab(site, { cookie: cookieOf(visitor), address: visitor.address });
  expect(await tab.status).toBe(401);
  const read = await visitor.get("/admin", { Referer: `${site.url}/admin` });
  expect(read.headers.location).toBe("/auth?next=%2Fadmin");
});

test("a script that reads its page again is sent to the page itself, and gets no toast", async () => {
  const visitor = await signedIn(site, credentials);
  await ends["was ended on another device"]?.(visitor);
  visitor.cookies.delete("toast");
  const { status, text } = await visitor.get("/admin.data?box=spam");
  expect([status, visitor.cookies.has("toast")]).toEqual([202, false]);
  expect(text).toContain('"/admin?box=spam"');
});

test("an account page without cookies leads to sign-in, with the reason", async () => {
  for (const [path, from] of [
    [list, "/admin"],
    ["/account", "/account/password"],
  ] as const) {
    const visitor = new Visitor(site);
    const answer = await visitor.get(path, { Referer: site.url + from });
    expect(answer.status).toBe(302);
    expect((await visitor.get("/auth")).text).toContain("انتهت جلستك، سجّل الدخول من جديد.");
  }
  const others = ["/", "/auth", "/administration", "//evil.example/admin", ""];
  for (const from of [
    ...others.map((path) => site.url + path),
    "https://evil.example/admin",
    "x",
  ]) {
    const visitor = new Visitor(site);
    await visitor.get("/account", { Referer: from });
    expect([from, visitor.cookies.size]).toEqual([from, 0]);
  }
  // The toast of the sign-out belongs to another page.
  const visitor = await signedIn(site, credentials);
  await visitor.post("/sign-out");
  await visitor.get("/admin", { Referer: `${site.url}/admin` });
  expect((await visitor.get("/")).text).toContain("تم تسجيل الخروج");
});
