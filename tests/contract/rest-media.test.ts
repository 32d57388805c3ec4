import { expect } from "vitest";
import { testWithTwelveBooks as test } from "#tests/support/rest/test.ts";

const json = "application/json; charset=utf-8";
const object = "application/vnd.pgrst.object+json; charset=utf-8";
test.for([
  [undefined, 200, json],
  ["*/*", 200, json],
  ["Application/JSON", 200, json],
  ["text/html, application/*;q=0.9", 200, json],
  ["application/vnd.pgrst.array+json", 200, json],
  ["application/vnd.pgrst.object", 200, object],
  [
    "application/vnd.pgrst.object+json;nulls=stripped",
    200,
    "application/vnd.pgrst.object+json;nulls=stripped; charset=utf-8",
  ],
  ["application/json;q=0.1, text/csv;q=0.5", 200, "text/csv; charset=utf-8"],
  ["application/json;q=0, text/csv", 200, "text/csv; charset=utf-8"],
  ["text/plain", 406, json],
  ["application/json;q=0", 406, json],
  ["application/geo+json", 406, json],
  ["application/openapi+json", 406, json],
  ["application/vnd.pgrst.plan+json", 406, json],
] as const)("Accept: %s returns %i", async ([accept, status, type], { ask }) => {
  const answer = await ask("/books?id=eq.1", {
    headers: accept === undefined ? {} : { Accept: accept },
  });
  expect([answer.status, answer.headers.get("content-type")]).toEqual([status, type]);
  expect(answer.json?.code).toBe(status === 406 ? "PGRST107" : undefined);
});

test.for([
  "text/csv",
  "text/plain",
  "application/x-www-form-urlencoded",
  "application/octet-stream",
])("a body of %s is refused", async (type, { refusal }) => {
  const options = { method: "POST", body: "a=1", headers: { "Content-Type": type } };
  const expected = [400, "PGRST102", `Content-Type not acceptable: ${type}`];
  expect(await refusal("/books", options)).toEqual(expected);
  expect(await refusal("/rpc/add", options)).toEqual(expected);
});
