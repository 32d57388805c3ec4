import { signAccessToken } from "embedded-supabase/testing";
import { decodeJwt } from "jose";
import { expect, test } from "vitest";
import { openApi } from "#tests/support/api.ts";
import { useSite } from "#tests/support/use-site.ts";
import { signedUp, Visitor } from "#tests/support/visitor.ts";

const site = useSite();

test("a session that was checked counts no longer than its token", async () => {
  const api = await openApi(site);
  const visitor = await signedUp(site);
  const session = visitor.session();
  const claims = decodeJwt<{ role: string; exp: number }>(session.access_token);
  const exp = Math.floor(Date.now() / 1000) + 4;
  const token = await signAccessToken(api.keys, { ...claims, exp });
  visitor.setSession({ ...session, access_token: token, refresh_token: "forged" });
  const headers = { Cookie: visitor.cookieHeader() };
  const ask = () => new Visitor(site).get("/auth", headers);
  expect((await ask()).headers.location).toBe("/admin");
  await expect.poll(async () => (await ask()).status, { timeout: 20_000 }).toBe(200);
}, 30_000);
