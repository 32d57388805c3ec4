import { expect } from "vitest";
import { testWithTwelveBooks as base } from "#tests/support/rest/test.ts";

const test = base
  .extend(
    "fail",
    ({ ask }) =>
      (code: string, message = "m", detail = "") =>
        ask("/rpc/fail", { method: "POST", body: { code, message, detail } }),
  )
  .extend(
    "choose",
    ({ ask }) =>
      (status: string, headers: string) =>
        ask("/rpc/choose", { method: "POST", body: { status, headers } }),
  );

test.for([
  ["08000", 503],
  ["09000", 500],
  ["0L000", 403],
  ["0P000", 403],
  ["23503", 409],
  ["23505", 409],
  ["23514", 400],
  ["25006", 405],
  ["25001", 500],
  ["21000", 500],
  ["22023", 400],
  ["28000", 403],
  ["2D000", 500],
  ["38000", 500],
  ["39000", 500],
  ["3B000", 500],
  ["40001", 500],
  ["53400", 500],
  ["53300", 503],
  ["54000", 500],
  ["55P03", 500],
  ["57P01", 503],
  ["57014", 500],
  ["58000", 500],
  ["F0000", 500],
  ["HV000", 500],
  ["P0001", 400],
  ["P0002", 500],
  ["XX000", 500],
  ["42883", 404],
  ["42P01", 404],
  ["42P17", 500],
  ["42501", 401],
  ["42703", 400],
  ["PT418", 418],
  ["PT999", 500],
  ["PTABC", 500],
  ["PT100", 500],
] as const)("SQLSTATE %s is %i", async ([code, status], { fail }) => {
  const answer = await fail(code);
  expect([answer.status, answer.json.code, answer.json.message]).toEqual([status, code, "m"]);
  expect(answer.headers.get("proxy-status")).toBe(`PostgREST; error=${code}`);
  expect(answer.headers.get("www-authenticate")).toBe(status === 401 ? "Bearer" : null);
  expect(answer.headers.get("retry-after")).toBe(status === 503 ? "1" : null);
});

test("an account's role gets 403 where anon gets 401", async ({ library, ask }) => {
  const token = await library.sign({ role: "authenticated" });
  const body = { code: "42501", message: "m", detail: "" };
  expect((await ask("/rpc/fail", { method: "POST", body, token })).status).toBe(403);
  const anon = await library.sign({ role: "anon" });
  expect((await ask("/rpc/fail", { method: "POST", body, token: anon })).status).toBe(401);
});

test("429 has Retry-After", async ({ fail }) => {
  const limited = await fail("PT429", "Too many messages", "17");
  expect([limited.status, limited.headers.get("retry-after"), limited.json.details]).toEqual([
    429,
    "17",
    "17",
  ]);
  expect((await fail("PT429", "m", "soon")).headers.get("retry-after")).toBeNull();
});

test("PGRST sets the whole response, and cannot break out of a header", async ({ fail }) => {
  const message = JSON.stringify({ code: "X1", message: "no", details: "d", hint: "h" });
  const headers = {
    "X-Why": "a\r\nX-Split: yes",
    "Set-Cookie": "a=b",
    "Content-Length": "1",
    "Bad name": "x",
  };
  const answer = await fail("PGRST", message, JSON.stringify({ status: 402, headers }));
  expect([answer.status, answer.json]).toEqual([
    402,
    { code: "X1", message: "no", details: "d", hint: "h" },
  ]);
  expect(answer.headers.get("x-why")).toBe("aX-Split: yes");
  expect([answer.headers.get("x-split"), answer.headers.get("set-cookie")]).toEqual([null, null]);
  for (const detail of [
    "",
    "x",
    "{}",
    '{"status":99}',
    '{"status":"200"}',
    '{"status":402,"headers":[]}',
  ]) {
    const wrong = await fail("PGRST", message, detail);
    expect([wrong.status, wrong.json.code]).toEqual([500, "PGRST121"]);
  }
  expect((await fail("PGRST", "x", '{"status":402}')).json.code).toBe("PGRST121");
});

test("response.status and response.headers set the response", async ({ choose }) => {
  const chosen = await choose(
    "202",
    '[{"X-A":"1"},{"Cache-Control":"max-age=5","Set-Cookie":"a=b"}]',
  );
  expect([
    chosen.status,
    chosen.headers.get("x-a"),
    chosen.headers.get("cache-control"),
    chosen.headers.get("set-cookie"),
  ]).toEqual([202, "1", "max-age=5", null]);
  expect((await choose("204", "")).text).toBe("");
  expect((await choose("", "")).status).toBe(200);
  for (const status of ["99", "600", "abc", "2000", "-1"]) {
    expect((await choose(status, "")).json.code).toBe("PGRST112");
  }
  for (const headers of ["x", "{}", "[1]", '[{"a":1}]']) {
    expect((await choose("200", headers)).json.code).toBe("PGRST111");
  }
});

test("a constraint's error does not quote the row to a visitor", async ({ library, ask }) => {
  const twice = { method: "POST", body: { id: 1, title: "secret" } };
  expect((await ask("/books", twice)).json).toEqual({
    code: "23505",
    message: 'duplicate key value violates unique constraint "books_pkey"',
    details: null,
    hint: null,
  });
  const { json } = await ask("/books", { ...twice, key: library.secretKey });
  expect(json.details).toBe("Key (id)=(1) already exists.");
  expect(
    (await ask("/books", { method: "POST", body: { title: "x", pages: -1 } })).json.details,
  ).toBeNull();
});

test("invalid values, types and patterns return 400", async ({ ask }) => {
  for (const [query, status, code] of [
    ["id=eq.abc", 400, "22P02"],
    ["id=in.( ,3)", 400, "22P02"],
    ["id=like.1", 404, "42883"],
    ["raw=eq.1", 404, "42883"],
    ["title=match.(", 400, "2201B"],
    ["title=like.t%5C", 400, "22025"],
    ["title=is.true", 400, "42804"],
    ["tags=cs.{", 400, "22P02"],
    ["nope=eq.1", 400, "42703"],
    ["select=nope", 400, "42703"],
    ["order=nope", 400, "42703"],
    ["select=id::regclass", 400, "42704"],
    ["select=title::int", 400, "22P02"],
  ] as const) {
    const answer = await ask(`/books?${query}`);
    expect([query, answer.status, answer.json.code]).toEqual([query, status, code]);
  }
});

test("only faults of the server are logged, and only their code", async ({ library, fail }) => {
  library.logged.length = 0;
  await fail("23514", "secret text");
  await fail("XX000", "secret text");
  expect(library.logged).toEqual(["rest: a request failed XX000"]);
});

test("requests beyond 500 waiting ones get 503, and are logged in one line", async ({
  library,
}) => {
  library.logged.length = 0;
  const ask = () =>
    library.embedded.fetch(
      new Request(`${library.url}/rest/v1/books`, { headers: { apikey: library.publishableKey } }),
      { address: "192.0.2.7" },
    );
  const answers = await Promise.all(Array.from({ length: 600 }, ask));
  const counts = Map.groupBy(answers, ({ status }) => status);
  expect(counts.get(503)?.length).toBe(600 - (counts.get(200)?.length ?? 0));
  expect(counts.get(503)?.[0]?.headers.get("retry-after")).toBe("1");
  expect(library.logged).toEqual(["A limit was reached restWaiting 1"]);
});
