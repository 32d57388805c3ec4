import { expect, test } from "vitest";
import { actions, pages } from "#tests/support/routes.ts";
import { type RunningSite, startSite } from "#tests/support/site.ts";
import { withSuperuser } from "#tests/support/superuser.ts";
import { setUpFactor } from "#tests/support/visitor-factor.ts";
import { signedUp, Visitor } from "#tests/support/visitor.ts";
import { expireToken, longestCredentials, wholeVisit } from "#tests/support/whole-visit.ts";

// The buffer of nginx.conf. The test helpers fail on longer headers.
test("no response has headers too long for a proxy, whatever the account and its state", async () => {
  const origin = "https://a-rather-long-name-of-a-site.example";
  const site = await startSite({ SITE_URL: origin });
  try {
    await wholeVisit(site, origin);
    const { credentials } = await signedUp(site, longestCredentials(), origin);
    // An account that was imported from a hosted Supabase can have this.
    await withSuperuser(
      site.dataDir,
      (sql) => sql`update auth.users set raw_user_meta_data = ${{ note: "x".repeat(100_000) }}`,
    );
    const described = new Visitor(site, origin);
    expect((await described.post("/auth", credentials)).status).toBe(302);
    for (const { path } of pages) {
      await described.get(path);
      await described.get(`${path.split("?")[0]}.data`);
    }
    for (const { path, form } of actions) {
      await described.post(path, form);
    }
    await wayBack(site, origin);
  } finally {
    await site.stop();
  }
});

/** Redirects with the way back to a list, in responses that also renew or begin a session. */
async function wayBack(site: RunningSite, origin: string) {
  const credentials = longestCredentials();
  const owner = await signedUp(site, credentials, origin);
  const { app } = await setUpFactor(owner, credentials.password);

  // The longest search in Arabic with a page, and the longest URLs of other routes.
  const before = "2100-01-01T00:00:00.123456+00:00_00000000-0000-4000-8000-000000000000";
  const search = `${new URLSearchParams({ q: "س".repeat(100), box: "any", before })}`;
  const queries = [search, "&".repeat(1900), "a".repeat(7000)];
  for (const list of queries.map((query) => `/admin?${query}`)) {
    const given = `?${new URLSearchParams({ next: list })}`;
    const waiting = new Visitor(site, origin);
    // Without a cookie, it is redirected through the check for cookies.
    const entered = await waiting.post(`/auth${given}`, credentials);
    const checked = await waiting.get(entered.headers.location ?? "");
    expect([entered.status, checked.status]).toEqual([302, 302]);
    for (const path of [list, `/auth${given}`, `/auth/code${given}`]) {
      for (const visitor of [waiting, new Visitor(site, origin)]) {
        expireToken(visitor);
        await visitor.get(path);
        expireToken(visitor);
        await visitor.post(path, { code: "000000" });
      }
    }
  }

  // The way back is kept from the list to the code and back.
  const list = `/admin?${search}`;
  const waiting = new Visitor(site, origin);
  await waiting.post("/auth", credentials);
  const step = (await waiting.get(list)).headers.location ?? "";
  expect(step).toContain("/auth/code?next=");
  await app.reuse(site);
  const coded = await waiting.post(step, { code: app.code() });
  expect([coded.status, coded.headers.location]).toEqual([302, list]);
}
