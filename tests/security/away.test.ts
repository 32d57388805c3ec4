import { decodeJwt } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";

import { loadKeys } from "#embedded/keys.ts";
import { type AccessClaims, signAccessToken } from "#embedded/tokens.ts";

import { type RunningSite, startSite } from "#tests/support/site.ts";
import { signedUp } from "#tests/support/visitor.ts";

let supabase: RunningSite;
let site: RunningSite;
// Another machine's Supabase, played by a second site of ours.
beforeAll(async () => {
  supabase = await startSite();
  const { publishableKey } = await loadKeys(supabase.dataDir);
  site = await startSite({
    SUPABASE_URL: supabase.url,
    SUPABASE_PUBLISHABLE_KEY: publishableKey,
    SITE_SECRET: "a secret that counts for nothing here",
  });
});
afterAll(async () => {
  await site?.stop();
  await supabase?.stop();
});

test("a session that cannot be refreshed for now is not ended", async () => {
  const visitor = await signedUp(site);
  const { access_token: token, ...session } = visitor.session();
  const expired = await signAccessToken(await loadKeys(supabase.dataDir), {
    ...(decodeJwt(token) as AccessClaims),
    exp: Math.floor(Date.now() / 1000) - 60,
  });
  const aged = { ...session, access_token: expired, expires_at: decodeJwt(expired).exp };
  const value = `base64-${Buffer.from(JSON.stringify(aged)).toString("base64url")}`;
  visitor.cookies.set("session", value);

  await supabase.end("SIGTERM");
  expect((await visitor.get("/admin")).status).toBe(503);
  expect(visitor.cookies.get("session")).toBe(value);

  await supabase.restart("SIGTERM");
  expect((await visitor.get("/admin")).status).toBe(200);
}, 120_000);
