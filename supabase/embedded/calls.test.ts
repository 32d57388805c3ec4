import { expect, test } from "vitest";
import { type Call, listCalls, withoutIds } from "./calls.ts";

const calls: Call[] = [
  { method: "GET", path: "/auth/v1/.well-known/jwks.json" },
  { method: "POST", path: "/auth/v1/signup", parameters: ["redirect_to"] },
  { method: "POST", path: "/auth/v1/token?grant_type=password" },
  { method: "POST", path: "/auth/v1/logout?scope=local" },
  { method: "POST", path: "/auth/v1/factors/:id/verify" },
  { method: "DELETE", path: "/auth/v1/factors/:id" },
  { method: "POST", path: "/rest/v1/rpc/my_notes" },
  { method: "POST", path: "/rest/v1/rpc/lock_notes" },
];
const list = listCalls(calls);

const id = "11111111-1111-4111-8111-111111111111";
const ask = (method: string, path: string, headers: Record<string, string> = {}) =>
  new Request(`http://localhost${path}`, { method, headers });

test("every call of the list is found, with the parameters that it may have", () => {
  for (const call of calls) {
    const path = call.path.replace(":id", id);
    expect(list.find(ask(call.method, path))).toBe(call);
    for (const name of call.parameters ?? []) {
      expect(list.find(ask(call.method, `${path}?${name}=x`))).toBe(call);
    }
  }
});

test("the list names the functions that the REST part must know", () => {
  expect(list.functions).toEqual(["my_notes", "lock_notes"]);
});

test.each([
  ["GET", "/rest/v1/notes"],
  ["POST", "/rest/v1/notes"],
  ["GET", "/rest/v1/rpc/my_notes"],
  ["POST", "/rest/v1/rpc/pg_sleep"],
  ["POST", "/rest/v1/rpc/my_notes?limit=1"],
  ["POST", "/rest/v1/rpc/__proto__"],
  ["POST", "/auth/v1/token?grant_type=pkce"],
  ["POST", "/auth/v1/token?grant_type=password&grant_type=pkce&x=1"],
  ["POST", "/auth/v1/logout?scope=global"],
  ["POST", "/auth/v1/factors/a/b/verify"],
  ["GET", "/realtime/v1/websocket"],
  ["GET", "/auth/v1/xwell-known/jwks.json"],
])("%s %s is not on it", (method, path) => {
  expect(list.find(ask(method, path))).toBeUndefined();
});

test.each<Record<string, string>>([
  { Prefer: "return=representation" },
  { Prefer: "count=exact" },
  { Accept: "application/vnd.pgrst.object+json" },
  { Accept: "text/csv" },
])("a call that asks for another form of the answer is not on it: %j", (headers) => {
  const path = "/rest/v1/rpc/my_notes";
  expect(list.find(ask("POST", path))).toBeDefined();
  expect(list.find(ask("POST", path, headers))).toBeUndefined();
});

test("the log names a call without ids and without its query", () => {
  expect(withoutIds(ask("GET", `/auth/v1/factors/${id}/none?token=secret`))).toEqual({
    method: "GET",
    path: "/auth/v1/factors/:id/none",
  });
});
