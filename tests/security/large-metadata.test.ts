import { afterAll, beforeAll, expect, test } from "vitest";
import { openApi } from "#tests/support/api.ts";
import { longestHeaders } from "#tests/support/header-bytes.ts";
import { pages } from "#tests/support/routes.ts";
import { type RunningSite, startSite } from "#tests/support/site.ts";
import { signedUp, Visitor } from "#tests/support/visitor.ts";

let site: RunningSite;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site?.stop());

test("metadata of the largest size does not lock an account out", async () => {
  const { credentials } = await signedUp(site);
  const api = await openApi(site);
  const data = { note: "x".repeat(16_000) };
  const caller = api.as(await api.signIn(credentials));
  expect((await api.send(caller, "PUT", "/auth/v1/user", { data })).status).toBe(200);

  const visitor = new Visitor(site);
  expect((await visitor.post("/auth", credentials)).status).toBe(302);
  const { access_token, refresh_token } = visitor.session();
  await api.claim(access_token);
  for (const { path } of pages.filter((page) => page.path !== "/sign-out")) {
    const { status, headerBytes } = await visitor.get(path);
    expect([path, status < 400 || status === 404]).toEqual([path, true]);
    expect(headerBytes).toBeLessThan(longestHeaders);
  }
  const refresh = "/auth/v1/token?grant_type=refresh_token";
  const renewed = await api.send(api.anon, "POST", refresh, { refresh_token });
  expect(renewed.status).toBe(200);
  expect(renewed.json.access_token.length).toBeLessThan(1_500);
  expect((await visitor.post("/sign-out")).status).toBe(302);
});
