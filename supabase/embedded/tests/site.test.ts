import { afterAll, beforeAll, expect, test } from "vitest";
import { newClient, password } from "./support/accounts.ts";
import { type NotesSite, startNotes } from "./support/notes-site.ts";

let site: NotesSite;
beforeAll(async () => {
  site = await startNotes();
});
afterAll(() => site.close());

async function signedUp(email: string) {
  const client = newClient(site);
  const { data, error } = await client.auth.signUp({ email, password });
  expect(error).toBeNull();
  return { client, token: data.session?.access_token ?? "" };
}

test("twenty lines of supabase-js sign up, sign in, write, read and hear", async () => {
  const email = "a@example.com";
  await newClient(site).auth.signUp({ email, password });
  const client = newClient(site);
  const { data } = await client.auth.signInWithPassword({ email, password });
  const heard: object[] = [];
  const stop = await site.embedded.listen(data.session?.access_token ?? "", {
    onInsert: (row) => void heard.push(row),
    onChange: () => void heard.push({}),
    onEnd: () => void heard.push({}),
  });
  const stranger = await signedUp("b@example.com");
  expect((await stranger.client.rpc("add_note", { text: "theirs" })).error).toBeNull();
  const { data: id } = await client.rpc("add_note", { text: "mine" });
  expect((await client.rpc("my_notes")).data).toEqual(["mine"]);
  await expect.poll(() => heard).toMatchObject([{ id, text: "mine", author: data.user?.id }]);
  stop();
});

test("a visitor and a row that breaks a rule are refused in PostgREST's words", async () => {
  const visitor = await newClient(site).rpc("add_note", { text: "x" });
  expect([visitor.status, visitor.error?.code]).toEqual([401, "42501"]);
  const { client } = await signedUp("c@example.com");
  expect((await client.rpc("add_note", { text: "" })).error?.code).toBe("23514");
  expect((await client.rpc("add_note", { other: "x" })).error?.code).toBe("PGRST202");
  expect((await client.rpc("wait", { seconds: 7 })).status).toBe(429);
});

test("a function of the site alone answers the site", async () => {
  const { client } = await signedUp("d@example.com");
  await client.rpc("add_note", { text: "counted" });
  expect((await client.rpc("count_notes")).status).toBe(403);
  const counted = await site.embedded.callAsSite("count_notes", {});
  expect(await counted.json()).toBeGreaterThan(0);
  expect((await site.embedded.callAsSite("wait", { seconds: 7 })).status).toBe(429);
});

test("a mail is handed over with its link and code, which open a session", async () => {
  const email = "f@example.com";
  await signedUp(email);
  await newClient(site).auth.signInWithOtp({ email, options: { shouldCreateUser: false } });
  await expect.poll(() => site.mails).toMatchObject([{ to: email, template: "magic_link" }]);
  const token = site.mails[0]?.variables.Token ?? "";
  const client = newClient(site);
  const { data } = await client.auth.verifyOtp({ email, token, type: "email" });
  expect(data.user?.email).toBe(email);
  expect((await client.auth.getUser()).data.user?.email).toBe(email);
});

test("a call that is not on the list is not found, and logged", async () => {
  const { client } = await signedUp("g@example.com");
  expect((await client.from("notes").select()).status).toBe(404);
  expect((await client.rpc("other")).status).toBe(404);
  expect(site.lines).toEqual([
    "The site made a call that is not on the list GET /rest/v1/notes",
    "The site made a call that is not on the list POST /rest/v1/rpc/other",
  ]);
});
