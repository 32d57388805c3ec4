import { decodeJwt } from "jose";
import { afterAll, expect, test } from "vitest";
import { loadKeys } from "#embedded/keys.ts";
import { type AccessClaims, signAccessToken } from "#embedded/tokens.ts";
import { startSite } from "#tests/support/site.ts";
import { withSuperuser } from "#tests/support/superuser.ts";
import { signedUp, Visitor } from "#tests/support/visitor.ts";
import { expireToken } from "#tests/support/whole-visit.ts";

const site = await startSite();
afterAll(() => site.stop());

/** A visitor whose access token has expired, so that the next request refreshes the session. */
async function withExpiredToken() {
  const visitor = await signedUp(site);
  const { access_token: token, ...session } = visitor.session();
  const exp = Math.floor(Date.now() / 1000) - 10;
  const expired = await signAccessToken(await loadKeys(site.dataDir), {
    ...(decodeJwt(token) as AccessClaims),
    exp,
  });
  const aged = JSON.stringify({ ...session, access_token: expired, expires_at: exp });
  visitor.cookies.set("session", `base64-${Buffer.from(aged).toString("base64url")}`);
  return visitor;
}

function copyOf({ cookies }: Visitor): Visitor {
  const copy = new Visitor(site);
  for (const [name, value] of cookies) {
    copy.cookies.set(name, value);
  }
  return copy;
}

test("tabs that refresh an expired session at once all stay signed in", async () => {
  const visitor = await withExpiredToken();
  const tabs = Array.from({ length: 6 }, () => copyOf(visitor));
  const pages = await Promise.all(tabs.map((tab) => tab.get("/admin")));
  expect(pages.map(({ status }) => status)).toEqual(tabs.map(() => 200));
  // Every cookie that the browser may keep in the end works.
  const again = await Promise.all(tabs.map((tab) => tab.get("/admin")));
  expect(again.map(({ status }) => status)).toEqual(tabs.map(() => 200));
});

test("a lost response ends no session: the old cookie still refreshes", async () => {
  const visitor = await withExpiredToken();
  const lost = copyOf(visitor);
  expect((await lost.get("/admin")).status).toBe(200);
  expect((await visitor.get("/admin")).status).toBe(200);
});

test("a stolen cookie that is replayed later ends the session for both", async () => {
  const visitor = await withExpiredToken();
  const thief = copyOf(visitor);
  // The owner goes on: two refreshes later the stolen token is no longer the last one's parent.
  expect((await visitor.get("/admin")).status).toBe(200);
  expireToken(visitor);
  expect((await visitor.get("/admin")).status).toBe(200);
  await withSuperuser(
    site.dataDir,
    (sql) => sql`update auth.refresh_tokens set updated_at = updated_at - interval '11 seconds'`,
  );
  expect((await thief.get("/admin")).headers.location).toMatch(/^\/auth/);
  expect((await visitor.get("/account")).headers.location).toMatch(/^\/auth/);
});
