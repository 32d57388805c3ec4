import { afterAll, beforeAll, expect, test } from "vitest";
import { type Api, type Caller, openApi } from "#tests/support/api.ts";
import { rest, stored } from "#tests/support/roles.ts";
import { type RunningSite, startSite } from "#tests/support/site.ts";
import { ask, signedUp } from "#tests/support/visitor.ts";

/** Attacks that worked on the first version, as a stranger would send them. */
let site: RunningSite;
let api: Api;
let stranger: Caller;
let owner: Caller;
let secret: { id: string; name: string; message: string };
beforeAll(async () => {
  site = await startSite();
  api = await openApi(site);
  secret = await stored(api);
  const inboxOwner = await signedUp(site);
  stranger = api.as((await signedUp(site)).session().access_token);
  const { token } = await api.enrol(inboxOwner.session().access_token);
  await api.claim(token);
  owner = api.as(token);
}, 60_000);
afterAll(() => site?.stop());

const readAll =
  "query_to_xml('select name,email,message from public.contact_messages',false,true,'')";
const injected = [
  `is not null or cast(concat(set_config('role','service_role',true), ${readAll}::text) as int)>0 or 'x' =`,
  `is not null or cast(concat(set_config('request.jwt.claims','{"role":"service_role"}',true), ${readAll}::text) as int)>0 or 'x' =`,
  `' or cast(${readAll}::text as int)>0 --`,
  `") or cast(${readAll}::text as int)>0 --`,
  "1); select public.renew_recovery_codes(); --",
  "row_to_json(contact_messages)",
  "*",
];

test("SQL in a filter, before and after a poisoned name, reads nothing and runs nothing", async () => {
  const codes = await api.send(owner, "POST", "/rest/v1/rpc/count_recovery_codes", {});
  for (const caller of [api.anon, stranger]) {
    for (const sql of injected.map(encodeURIComponent)) {
      for (const path of [
        `${rest}?__proto__=imatch.${sql}`,
        `${rest}?__proto__=${sql}`,
        `${rest}?constructor=imatch.${sql}`,
        `${rest}?${sql}=imatch.z`,
        `${rest}?name=${sql}.z`,
        `${rest}?name=imatch.${sql}`,
        `${rest}?name-%3E${sql}=eq.z`,
        `${rest}?select=${sql}`,
        `${rest}?select=name::${sql}`,
        `${rest}?select=id,x:${sql}`,
        `${rest}?order=${sql}`,
        `${rest}?order=name.${sql}`,
        `${rest}?or=(name.${sql})`,
        `${rest}?limit=${sql}`,
        `${rest}?on_conflict=${sql}&columns=${sql}`,
        `/rest/v1/rpc/read_inbox?page-%3Ex=imatch.z`,
        `/rest/v1/rpc/read_inbox?page-%3E${sql}=imatch.z`,
        `/rest/v1/rpc/read_inbox?${sql}=imatch.z`,
        `/rest/v1/rpc/read_inbox?owner=imatch.${sql}`,
        `/rest/v1/rpc/read_inbox?select=${sql}`,
        `/rest/v1/${sql}`,
        `/rest/v1/rpc/${sql}`,
      ]) {
        const answer = await api.send(caller, "GET", path);
        expect([path, answer.status, answer.text]).toEqual([
          path,
          expect.toSatisfy((status) => status < 500),
          expect.not.stringContaining(secret.name),
        ]);
        expect(answer.text).not.toContain(secret.message);
      }
      for (const prefer of ["", "return=representation", "resolution=merge-duplicates"]) {
        const body = { name: "n", [decodeURIComponent(sql)]: "x" };
        const path = `${rest}?on_conflict=${sql}`;
        const answer = await api.send(caller, "POST", path, body, { Prefer: prefer });
        expect([answer.status, answer.json?.code]).toEqual([400, expect.any(String)]);
      }
    }
  }
  expect((await api.send(owner, "POST", "/rest/v1/rpc/count_recovery_codes", {})).json).toBe(
    codes.json,
  );
  const rows = await api.send(api.service, "GET", `${rest}?select=id`);
  expect(rows.json).toEqual([{ id: secret.id }]);
}, 120_000);

test("no name calls a function that takes a row", async () => {
  for (const name of [
    "row_to_json",
    "to_json",
    "json_agg",
    "count",
    "pg_column_size",
    "num_nulls",
    "concat",
  ]) {
    for (const query of [
      `select=${name}`,
      `${name}=not.is.null`,
      `order=${name}`,
      `or=(${name}.is.null)`,
    ]) {
      const answer = await api.send(stranger, "GET", `${rest}?${query}`);
      expect([query, answer.status, answer.json.code]).toEqual([query, 400, "42703"]);
    }
  }
});

/** How the site responds to everybody else. */
const everybodyElse = async () => [
  (await ask(site, "GET", "/")).status,
  (await ask(site, "GET", "/?code=x")).status,
  (await ask(site, "GET", "/healthz")).status,
  (await api.send(stranger, "GET", "/auth/v1/user")).status,
  (
    await api.send(api.anon, "POST", "/auth/v1/token?grant_type=password", {
      email: "nobody@example.com",
      password: "wrong one",
    })
  ).status,
  (await api.send(api.service, "GET", `${rest}?select=id`)).json,
];

test.each([
  "__proto__=eq.1",
  "select=*,__proto__(id)&__proto__.transfer-encoding=eq.1",
  "constructor=eq.1",
  "constructor.prototype=eq.1",
  "__proto__.then=eq.1",
  "select=__proto__:id",
  "or=(__proto__.eq.1)",
  "__proto__->x=eq.1",
  "not.__proto__=eq.1",
])("an anonymous GET with ?%s leaves the site as it was", async (query) => {
  const expected = [200, 200, 200, 200, 400, [{ id: secret.id }]];
  for (const path of [rest, "/rest/v1/rpc/read_inbox", "/rest/v1/rpc/inbox_state"]) {
    const answer = await api.send(api.anon, "GET", `${path}?${query}`);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
  }
  expect(await everybodyElse()).toEqual(expected);
});
