import { expect, test } from "vitest";
import { type Api, openApi } from "#tests/support/api.ts";
import { storeMessages } from "#tests/support/messages.ts";
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
    const api = await openApi(site);
    // As an account that was imported from hosted Supabase can have.
    await withSuperuser(
      site.dataDir,
      (sql) => sql`update auth.users set raw_user_meta_data = ${{ note: "x".repeat(100_000) }}`,
    );
    const described = new Visitor(site, origin);
    expect((await described.post("/auth", credentials)).status).toBe(302);
    const visitors = [described, new Visitor(site, origin)];
    for (const visitor of visitors) {
      for (const { path } of pages) {
        await visitor.get(path);
        await visitor.get(`${path.split("?")[0]}.data`);
      }
      for (const { path, form } of actions) {
        await visitor.post(path, form);
        await visitor.post(path, form, { Origin: "https://evil.example" });
      }
    }
    const again = new Visitor(site, origin);
    await again.post("/auth", credentials);
    await undoOfFifty(again, api, site);
    await noteInLongList(again, api);
    await wayBack(site, origin);
  } finally {
    await site.stop();
  }
}, 120_000);

/** Fifty messages, in a response that renews the session and redirects to a long search. */
async function undoOfFifty(owner: Visitor, api: Api, { dataDir }: RunningSite) {
  await api.claim(owner.session().access_token);
  const messages = Array.from({ length: 50 }, (_, index) => ({
    name: "زائر",
    email: "a@example.com",
    message: `سلام ${index}`,
  }));
  const stored = await storeMessages(dataDir, messages);
  // The longest search in Arabic: a hundred characters, five words.
  const words = Array(5).fill("س".repeat(19)).join(" ");
  const before = `2100-01-01T00:00:00.123456+00:00_${stored[0]?.id}`;
  const path = `/admin?${new URLSearchParams({ q: words, box: "waiting", before })}`;
  const form = stored.map(({ id }): [string, string] => ["ids", id]);
  expireToken(owner);
  const sorted = await owner.post(path, [["action", "archive"], ...form]);
  expect([sorted.status, sorted.headers["set-cookie"]?.length]).toEqual([302, 1]);
  const page = await owner.get(sorted.headers.location ?? "");
  expect(page.text).toContain("أُرشفت ٥٠ رسالة");
  const [, undo = ""] = /<button(?=[^>]*name="undo")[^>]*value="([^"]+)"/.exec(page.text) ?? [];
  expireToken(owner);
  const undone = await owner.post(path, { undo });
  expect(undone.status).toBe(302);
  expect((await owner.get(undone.headers.location ?? "")).text).toContain(
    "عادت ٥٠ رسالة من الأرشيف",
  );
}

/** The longest searches are kept in a redirect. */
async function noteInLongList(owner: Visitor, api: Api) {
  const message = { name: "زائر", email: "a@example.com", message: "سلام" };
  const { id } = await api.store(message);
  const before = `2100-01-01T00:00:00.123456+00:00_${id}`;
  for (const [index, q] of ["س".repeat(100), "😀".repeat(100)].entries()) {
    expireToken(owner);
    const path = `/admin?${new URLSearchParams({ q, box: "any", before })}`;
    const saved = await owner.post(path, { id, note: `ملاحظة ${index}` });
    expect([saved.status, saved.headers["set-cookie"]?.length]).toEqual([302, 1]);
    const { searchParams } = new URL(saved.headers.location ?? "", "http://site");
    expect([searchParams.get("q"), searchParams.get("before")]).toEqual([q, before]);
    const page = await owner.get(saved.headers.location ?? "");
    expect([page.status, page.text.includes("حُفظت الملاحظة")]).toEqual([200, true]);
  }
}

/** Redirects with the way back to a list, in responses that also renew or begin a session. */
async function wayBack(site: RunningSite, origin: string) {
  const credentials = longestCredentials();
  const owner = await signedUp(site, credentials, origin);
  const { app } = await setUpFactor(owner, credentials.password);

  // The longest search in Arabic with a page, and the longest URLs of other routes.
  const before = "2100-01-01T00:00:00.123456+00:00_00000000-0000-4000-8000-000000000000";
  const search = `${new URLSearchParams({ q: "س".repeat(100), box: "any", before })}`;
  const queries = [search, "&".repeat(600), "&".repeat(1900), "a".repeat(5900), "a".repeat(7000)];
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
