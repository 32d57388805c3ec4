import { expect } from "vitest";
import { testWithTwelveBooks as base } from "#tests/support/rest/test.ts";

const test = base.extend(
  "allowed",
  ({ ask }) =>
    async (path: string) =>
      (await ask(path, { method: "OPTIONS" })).headers.get("allow"),
);

test.for([
  ["/", 404, "PGRST126"],
  ["/books/", 404, "PGRST125"],
  ["/rpc/", 404, "PGRST125"],
  ["/rpc/add/", 404, "PGRST125"],
  ["//books", 404, "PGRST125"],
  ["/books/1", 404, "PGRST125"],
  ["/rpc/rpc/add", 404, "PGRST125"],
  ["/none", 404, "PGRST205"],
  ["/Books", 404, "PGRST205"],
  ["/public.books", 404, "PGRST205"],
  ["/books%00", 400, "22021"],
  ["/books%ff", 400, "PGRST100"],
  ["/constructor", 404, "PGRST205"],
  ["/__proto__", 404, "PGRST205"],
  ["/rpc/toString", 404, "PGRST202"],
  ["/rpc/none", 404, "PGRST202"],
  ["/rpc/spread?list=1", 404, "PGRST202"],
  ["/rpc/add?b=1", 404, "PGRST202"],
  ["/rpc/add?a=1&__proto__=1", 404, "PGRST202"],
  ["/rpc/pg_sleep?seconds=1", 404, "PGRST202"],
  ["/rpc/twice?n=1", 300, "PGRST203"],
] as const)("GET %s returns %i %s", async ([path, status, code], { ask }) => {
  const answer = await ask(path);
  expect([answer.status, answer.json.code]).toEqual([status, code]);
  if (status === 404) {
    expect(answer.json.hint).toBeNull();
  }
});

test("a percent-encoded letter in the path is the letter", async ({ ask }) => {
  expect((await ask("/b%6Foks?select=id&id=eq.3")).json).toEqual([{ id: 3 }]);
});

test.for(["PUT", "PROPFIND", "LINK", "get"])("%s is refused", async (method, { refusal }) => {
  const isGet = method === "get";
  const [status, code] = await refusal("/books?id=eq.1", { method });
  expect([status, code]).toEqual(isGet ? [200, undefined] : [405, "PGRST117"]);
  const [called, calledCode] = await refusal("/rpc/add?a=1", { method });
  expect([called, calledCode]).toEqual(isGet ? [200, undefined] : [405, "PGRST101"]);
});

test.for(["private", "auth", "pg_catalog", "information_schema", "", "Public", "public, auth"])(
  "the schema %j is not served",
  async (schema, { refusal }) => {
    const expected = [406, "PGRST106", `Invalid schema: ${schema}`];
    const read = { headers: { "Accept-Profile": schema } };
    expect(await refusal("/books", read)).toEqual(expected);
    const write = { method: "POST", body: {}, headers: { "Content-Profile": schema } };
    expect(await refusal("/books", write)).toEqual(expected);
  },
);

test("OPTIONS returns the allowed methods", async ({ refusal, allowed }) => {
  expect(await allowed("/books")).toBe("OPTIONS,GET,HEAD,POST,PATCH,DELETE");
  expect(await allowed("/titles")).toBe("OPTIONS,GET,HEAD,POST,PATCH,DELETE");
  expect(await allowed("/longest")).toBe("OPTIONS,GET,HEAD");
  expect(await allowed("/rpc/add")).toBe("OPTIONS,GET,HEAD,POST");
  expect(await allowed("/rpc/rename")).toBe("OPTIONS,POST");
  expect((await refusal("/rpc/none", { method: "OPTIONS" }))[0]).toBe(404);
});

test("responses are private, and pages of every origin can read them", async ({ library, ask }) => {
  const { headers } = await ask("/books", { headers: { Origin: "https://elsewhere.example" } });
  expect(headers.get("cache-control")).toBe("private, no-store");
  expect(headers.get("vary")).toBe("Authorization, apikey, Accept, Accept-Profile, Prefer, Range");
  expect(headers.get("access-control-allow-origin")).toBe("*");
  for (const name of ["Content-Range", "Retry-After", "Preference-Applied"]) {
    expect(headers.get("access-control-expose-headers")).toContain(name);
  }
  const refused = await fetch(`${library.url}/rest/v1/books`);
  expect([refused.status, refused.headers.get("access-control-allow-origin")]).toEqual([401, "*"]);
});
