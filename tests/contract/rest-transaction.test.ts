import { expect } from "vitest";
import type { Ask } from "#tests/support/rest/library.ts";
import { testWithTwelveBooks as base } from "#tests/support/rest/test.ts";

const test = base.extend(
  "settings",
  ({ ask }) =>
    async (options: Ask) =>
      (await ask("/rpc/settings", options)).json,
);

test("a transaction has the role, and the timeouts of the role", async ({ library, settings }) => {
  const common = {
    method: "GET",
    path: "/rpc/settings",
    search_path: "public, extensions",
    read_only: "on",
  };
  expect(await settings({})).toEqual({
    ...common,
    role: "anon",
    session: "authenticator",
    statement_timeout: "3s",
    lock_timeout: "1s",
  });
  const token = await library.sign({ role: "authenticated" });
  expect(await settings({ token })).toEqual({
    ...common,
    role: "authenticated",
    session: "authenticator",
    statement_timeout: "8s",
    lock_timeout: "3s",
  });
  expect(await settings({ key: library.secretKey, method: "POST", body: {} })).toEqual({
    ...common,
    method: "POST",
    role: "service_role",
    session: "service_authenticator",
    statement_timeout: "8s",
    lock_timeout: "8s",
  });
});

test("no request can become a role above its own", async ({ library, ask }) => {
  const token = await library.sign({ role: "authenticated" });
  const become = async (role: string, options: Ask) =>
    (await ask("/rpc/become", { method: "POST", body: { role }, ...options })).json;
  for (const options of [{}, { token }]) {
    for (const role of ["service_role", "postgres", "supabase_admin", "supabase_auth_admin"]) {
      expect(await become(role, options)).toMatchObject({ code: "42501" });
    }
  }
  expect(
    (await ask("/books?limit=1", { token: await library.sign({ role: "nobody" }) })).status,
  ).toBe(401);
});

test("a statement that takes too long is cancelled, and leaves nothing behind", async ({
  ask,
  settings,
}) => {
  const slow = await ask("/rpc/sleep", { method: "POST", body: { seconds: 6 } });
  expect([slow.status, slow.json.code]).toEqual([500, "57014"]);
  expect((await settings({}))["role"]).toBe("anon");
});

test("a GET cannot write", async ({ ask }) => {
  const answer = await ask("/rpc/rename?wanted=1&title=new");
  expect([answer.status, answer.json.code]).toEqual([405, "25006"]);
  expect((await ask("/rpc/rename?wanted=1&title=new", { method: "HEAD" })).status).toBe(405);
  expect((await ask("/books?select=title&id=eq.1")).json).toEqual([{ title: "t1" }]);
});

test("an insert needs no select privilege", async ({ ask }) => {
  expect((await ask("/words", { method: "POST", body: { word: "w" } })).status).toBe(201);
  const shown = await ask("/words", {
    method: "POST",
    body: { word: "w" },
    headers: { Prefer: "return=representation" },
  });
  expect([shown.status, shown.json.code]).toEqual([401, "42501"]);
});

test("a write to all rows, or to an arbitrary part of them, is refused", async ({
  ask,
  refusal,
}) => {
  const patch = { method: "PATCH", body: { pages: 1 } };
  expect(await refusal("/books", patch)).toEqual([400, "21000", "UPDATE requires a WHERE clause"]);
  expect(await refusal("/books", { method: "DELETE" })).toEqual([
    400,
    "21000",
    "DELETE requires a WHERE clause",
  ]);
  expect(await refusal("/books?select=id&order=id", { method: "DELETE" })).toEqual([
    400,
    "21000",
    "DELETE requires a WHERE clause",
  ]);
  for (const range of ["limit=1", "offset=1"]) {
    for (const options of [patch, { method: "DELETE" }, { method: "POST", body: { title: "x" } }]) {
      expect((await refusal(`/books?id=gt.0&${range}`, options)).slice(0, 2)).toEqual([
        400,
        "PGRST127",
      ]);
    }
  }
  expect(
    (await refusal("/books?id=eq.1", { method: "POST", body: { title: "x" } })).slice(0, 2),
  ).toEqual([400, "PGRST127"]);
  expect(
    (
      await refusal("/books?id=eq.1", { method: "PATCH", body: [{ pages: 1 }, { pages: 2 }] })
    ).slice(0, 2),
  ).toEqual([400, "PGRST102"]);
  expect(
    (await ask("/books", { headers: { Prefer: "count=exact" } })).headers.get("content-range"),
  ).toBe("0-11/12");
});
