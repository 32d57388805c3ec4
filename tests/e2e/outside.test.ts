import {
  expect,
  fillMessage,
  newMessage,
  postMessages,
  sendMessage,
  signUp,
  test,
} from "#tests/support/browser/test.ts";
import type { TestServer } from "#tests/support/embedded-server.ts";
import { startOutside } from "#tests/support/outside.ts";
import { type RunningSite, startSite } from "#tests/support/site.ts";
import { withSuperuser } from "#tests/support/superuser.ts";

let supabase: TestServer;
let site: RunningSite;
test.beforeAll(async () => {
  const outside = await startOutside();
  ({ supabase } = outside);
  await withSuperuser(
    supabase.dataDir,
    (sql) => sql`update private.limits set points = 2 where name = 'message'`,
  );
  site = await startSite(outside.env);
});
test.afterAll(async () => {
  await site.stop();
  await supabase.close();
});
test.slow();

test("the same build works with an outside Supabase: account, message, live inbox", async ({
  browser,
  scripts,
}) => {
  const context = await browser.newContext({ baseURL: site.url, javaScriptEnabled: scripts });
  const inbox = await context.newPage();
  await signUp(inbox);
  await inbox.goto("/admin");
  if (scripts) {
    await expect(inbox.getByText("مباشر", { exact: true })).toBeVisible();
  }

  const text = newMessage();
  const visitor = await browser.newContext({ baseURL: site.url, javaScriptEnabled: scripts });
  const home = await visitor.newPage();
  await home.goto("/");
  await fillMessage(home, text);
  await sendMessage(home);
  await expect(home.getByText("وصلت رسالتك")).toBeVisible();
  if (!scripts) {
    await inbox.reload();
  }
  await expect(inbox.getByRole("heading", { name: text.name })).toHaveCount(1);
});

test("the database counts visitors' addresses, not the site's @once", async ({ browser }) => {
  const { request } = await browser.newContext({ baseURL: site.url });
  const texts = Array.from({ length: 6 }, () => newMessage());
  expect(await postMessages(request, site, texts)).toEqual(texts.map(() => 302));
  const address = "203.0.113.7";
  expect(
    await postMessages(
      request,
      site,
      texts.map(() => newMessage()),
      address,
    ),
  ).toEqual([302, 302, 429, 429, 429, 429]);
});

test("/healthz reports the outside Supabase @once", async ({ request }) => {
  const answer = await request.get(`${site.url}/healthz`);
  expect(await answer.json()).toEqual({ process: "ok", database: "ok", authentication: "ok" });
});
