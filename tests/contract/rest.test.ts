import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { outsideBackend } from "#app/server/backend/outside/outside-backend.ts";
import { newAddress } from "#tests/support/address.ts";
import { openListed } from "#tests/support/list-client.ts";

const listed = await openListed();
afterAll(() => listed.close());

const { url, key: publishableKey, secret: secretKey } = listed;
const backend = outsideBackend({ url, publishableKey, secretKey });
afterAll(() => backend.close());

/** Listens to Realtime as the site does on a hosted Supabase. */
async function listen(token: string) {
  await expect.poll(async () => (await backend.health()).live, { timeout: 10_000 }).toBe(true);
  const told: unknown[] = [];
  const stop = await backend.listen(token, {
    onInsert: (row) => void told.push(row),
    onChange: () => void told.push("change"),
    onEnd: () => void told.push("end"),
  });
  return { told, stop };
}

/** Leaves a message as the site does for a visitor. */
const leave = (message: object, address = "192.0.2.98") =>
  listed.callAsSite("leave_message", { message, address });

test("the site hears an insert with its row", async () => {
  const { token } = await listed.account();
  const { told, stop } = await listen(token);
  const row = { name: "زائر", email: "visitor@example.com", message: `رسالة ${Date.now()}` };
  expect(await leave(row)).toMatchObject({ wait_seconds: null });
  await expect.poll(() => told, { timeout: 10_000 }).toEqual([expect.objectContaining(row)]);
  stop();
});

test("a listener with a forged token hears that something changed, and no row", async () => {
  const { token } = await listed.account();
  const { told, stop } = await listen(token.replace(/.{8}$/, "AAAAAAAA"));
  await leave(newRow());
  await expect.poll(() => told, { timeout: 10_000 }).toEqual(["change"]);
  stop();
});

const newRow = () => ({
  name: "سارة",
  email: "sara@example.com",
  message: `رسالة ${randomUUID()}`,
});

/** Posts what the client's types refuse. */
async function post(path: string, body: object, token = listed.key) {
  const response = await fetch(`${listed.url}/rest/v1${path}`, {
    method: "POST",
    headers: {
      apikey: listed.key,
      Authorization: `Bearer ${token}`,
      "Content-Type": "application/json",
    },
    body: JSON.stringify(body),
  });
  return { status: response.status, json: await response.json() };
}

describe("a visitor's message", () => {
  test("has an id, which the same visitor gets again for a repeat", async () => {
    const row = newRow();
    const first = await leave(row);
    expect(first).toEqual({ id: expect.stringMatching(z.regexes.uuid4), wait_seconds: null });
    expect(await leave(row)).toEqual(first);
  });

  test("that the table refuses has the constraint's code", async () => {
    expect(await leave({ ...newRow(), email: "no address" })).toBe("23514");
  });
});

describe("a call of a function", () => {
  test("gives one object for a row, a list for rows, a value for a value", async () => {
    const { client } = await listed.account();
    const state = await client.rpc("inbox_state");
    expect(state.status).toBe(200);
    expect(state.data).toMatchObject({ messages: expect.any(Number) });
    const sessions = await client.rpc("my_sessions");
    expect(sessions.data).toContainEqual(expect.objectContaining({ is_current: true }));
    expect((await client.rpc("record_visit", { until: "2026-01-01" })).error).toBeNull();
  });

  test("that is refused by its own rule is 403, and a null result 200", async () => {
    const { client } = await listed.account();
    const tested = await client.rpc("begin_notification_test", { for_channel: "mail" });
    expect([tested.status, tested.error?.code]).toEqual([403, "PT403"]);
    const attempt = { kind: "sign-in", account: randomUUID(), address: "192.0.2.1" };
    expect(await listed.callAsSite("take_attempt", attempt)).toBeNull();
  });

  test("takes named arguments of the function's types, the others by default", async () => {
    const { client } = await listed.account();
    const ids = [randomUUID(), randomUUID()];
    const sorted = await client.rpc("sort_messages", { action: "archive", ids });
    expect([sorted.status, sorted.error?.code]).toEqual([409, "PT409"]);
    const wrong = await listed.callAsSite("end_session", { session: "no id", by: ids[0] });
    expect(wrong).toBe("22P02");
  });

  test("with other arguments than it has is 404 PGRST202", async () => {
    for (const body of [{}, { code: "1", more: 2 }, { ["__proto__"]: "1", constructor: "1" }]) {
      const answer = await post("/rpc/claim_inbox", body);
      expect(answer).toMatchObject({ status: 404, json: { code: "PGRST202" } });
    }
  });

  test("that the role may not call is 401 for a visitor and 403 for an account", async () => {
    const visitor = await listed.client().rpc("inbox_state");
    expect([visitor.status, visitor.error?.code]).toEqual([401, "42501"]);
    const { token } = await listed.account();
    const site = await post("/rpc/new_claim_code", {}, token);
    expect(site).toMatchObject({ status: 403, json: { code: "42501" } });
  });
});

test("a token that is expired or no token is 401 with PostgREST's code", async () => {
  const { token } = await listed.account();
  const [head = "", payload = ""] = token.split(".");
  for (const bad of ["nonsense", `${head}.${payload}.AAAA`]) {
    const { status, error } = await listed.client(bad).rpc("inbox_state");
    expect([status, error?.code]).toEqual([401, "PGRST301"]);
  }
});

const table = "/contact_messages";
const mergeHeaders = { Prefer: "resolution=merge-duplicates,return=representation" };

// PostgREST's grammar. The embedded one answers none of the tables' and knows no schema but one; a real
// one has only the rights of anon to refuse them. What visitors may call is in rights.test.ts.
test.each<[method: string, path: string, headers?: Record<string, string>]>([
  ["GET", `${table}?select=*,inbox_deletions(*)`],
  ["HEAD", table, { Prefer: "count=exact" }],
  ["GET", "/users?select=email", { "Accept-Profile": "auth" }],
  ["POST", `${table}?on_conflict=id&columns=id,message`, mergeHeaders],
  ["PATCH", `${table}?id=not.is.null`, { Prefer: "return=representation, tx=rollback" }],
  ["DELETE", `${table}?id=not.is.null`],
  ["GET", "/rpc/read_inbox?box=inbox&page->>0=not.is.null"],
  ["POST", "/rpc/count_attempt", { "Content-Profile": "private" }],
])("without an account %s %s is refused: %j", async (method, path, headers = {}) => {
  const known = `رسالة ${randomUUID()}`;
  const { id } = (await leave({ ...newRow(), message: known }, newAddress())) as { id: string };
  const isRead = method === "GET" || method === "HEAD";
  const withKey: Record<string, string> = { apikey: listed.key, ...headers };
  for (const asked of [withKey, { ...withKey, Authorization: `Bearer ${listed.key}` }]) {
    const answer = await fetch(`${listed.url}/rest/v1${path}`, {
      method,
      headers: asked,
      ...(!isRead && { body: JSON.stringify(path.startsWith("/rpc/") ? {} : { id, note: "x" }) }),
    });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(await answer.text()).not.toContain(known);
  }
  expect(await listed.callAsSite("read_receipt", { id })).toMatchObject({ message: known });
  // These calls are intended; any other one fails the file at its end.
  listed.unlisted.length = 0;
});
