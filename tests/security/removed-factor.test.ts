import { signAccessToken } from "embedded-supabase/testing";
import { decodeJwt } from "jose";
import { expect, test } from "vitest";
import { Authenticator } from "#tests/support/authenticator.ts";
import { useApi, useSite } from "#tests/support/use-site.ts";
import { setUpFactor } from "#tests/support/visitor-factor.ts";
import { hidden, signedIn, signedUp, Visitor } from "#tests/support/visitor.ts";

const site = useSite();
const api = useApi(site);

/** An account whose open session used an app that another session has removed since, and its other app. */
async function removedApp() {
  const owner = await signedUp(site);
  const { password: current } = owner.credentials;
  const { app, factor } = await setUpFactor(owner, current);
  const scan = await owner.post("/account/factors/new", { name: "حاسوبي", current });
  const uri = hidden(scan.text, "uri");
  const other = new Authenticator(new URL(uri).searchParams.get("secret") ?? "");
  const form = { factor: hidden(scan.text, "factor"), uri, code: other.code() };
  expect((await owner.post("/account/factors/new", form)).status).toBe(302);

  const stolen = await signedIn(site, owner.credentials);
  expect((await stolen.post("/auth/code", { code: app.code() })).status).toBe(302);
  expect((await stolen.get("/admin")).status).toBe(200);
  const { access_token: token } = stolen.session();
  const removed = await owner.post(`/account/factors/${factor}/remove`, { current });
  expect(removed.headers.location).toBe("/account");
  return { owner, stolen, token, other, cookies: new Map(stolen.cookies) };
}

const pages = ["/admin", "/account", "/account/email"];

test("after an app was removed, the session that used it is asked for a code of the other app by each page and form, and goes on with it", async () => {
  const { stolen, other, cookies } = await removedApp();
  for (const path of pages) {
    const fresh = new Visitor(site);
    cookies.forEach((value, name) => fresh.cookies.set(name, value));
    expect([path, (await fresh.get(path)).headers.location]).toEqual([
      path,
      `/auth/code?next=${encodeURIComponent(path)}`,
    ]);
    expect((await fresh.get("/auth/code")).status).toBe(200);
    expect((await fresh.get(path)).status).toBe(302);
  }
  for (const path of ["/admin/empty?box=trash", "/account", "/account/password"]) {
    const { status, headers } = await stolen.post(path);
    expect([path, status, headers.location]).toEqual([
      path,
      302,
      expect.stringMatching(/^\/auth\/code\?next=/),
    ]);
  }
  expect((await stolen.post("/auth/code", { code: other.code() })).status).toBe(302);
  expect((await stolen.get("/admin")).status).toBe(200);
  expect((await stolen.get("/account")).status).toBe(200);
});

test("the token of such a session, one from before its code, and one without a session read and change nothing", async () => {
  const { id } = await api.store({ name: "زائرة", email: "v@example.com", message: "نص" });
  const { owner, token, stolen, other } = await removedApp();
  const again = await signedIn(site, owner.credentials);
  const { access_token: early } = again.session();
  expect((await again.post("/auth/code", { code: other.code() })).status).toBe(302);
  expect(await api.namesFor(api.as(again.session().access_token))).toEqual(["زائرة"]);
  const open = await signedUp(site);
  const claims = decodeJwt<{ role: string; exp: number }>(open.session().access_token);
  const without = { ...claims, aal: "aal2", session_id: undefined };
  for (const bearer of [token, early, await signAccessToken(api.keys, without)]) {
    const caller = api.as(bearer);
    expect(await api.namesFor(caller)).toEqual([]);
    expect((await api.call(caller, "my_sessions")).json).toEqual([]);
    expect((await api.call(caller, "is_signed_in")).json).toBe(false);
    expect((await api.call(caller, "read_inbox")).json).toMatchObject({ may_read: false });
  }
  expect(await api.namesFor(api.as(open.session().access_token))).toEqual(["زائرة"]);
  expect((await stolen.get("/admin/export?format=jsonl")).text).not.toContain(id);
});
