import {
  cardOf,
  expect,
  fillMessage,
  isHydrated,
  liveBadge,
  newAccount,
  newMessage,
  postMessages,
  sendMessage,
  signUp,
  submitCredentials,
  test,
} from "#tests/support/browser/test.ts";
import { childrenOf, postmasterPid } from "#tests/support/engine.ts";
import { startProxy } from "#tests/support/proxy.ts";
import { type RunningSite, startSite } from "#tests/support/site.ts";

// The deadline of a page is 5 seconds, of a form 10. The rest is for a busy machine.
const pageWithin = { timeout: 8000 };
const formWithin = { timeout: 13_000 };

test.describe.configure({ mode: "serial" });
let site: RunningSite;
test.beforeAll(async () => {
  site = await startSite();
});
test.afterAll(() => site.stop());

/** PostgreSQL then accepts connections but does not respond, until woken up or restarted. */
async function hangDatabase(): Promise<() => void> {
  const postmaster = await postmasterPid(site.dataDir);
  const processes = [postmaster, ...childrenOf(postmaster)];
  const send = (signal: NodeJS.Signals) => {
    for (const pid of processes) {
      try {
        process.kill(pid, signal);
      } catch {
        // The site has restarted PostgreSQL meanwhile.
      }
    }
  };
  send("SIGSTOP");
  return () => send("SIGCONT");
}

test("each page and form reports a hanging database in time, and recovers", async ({
  browser,
  scripts,
}) => {
  const [owner, visitor, stranger, forgetful] = await Promise.all(
    [0, 1, 2, 3].map(async () => (await browser.newContext({ baseURL: site.url })).newPage()),
  );
  if (!owner || !visitor || !stranger || !forgetful) {
    throw new Error("There are four pages.");
  }
  const earlier = newMessage();
  expect(await postMessages(owner.request, site, [earlier])).toEqual([302]);
  await signUp(owner);
  await visitor.goto("/");
  const reader = await owner.context().newPage();
  await reader.goto("/admin");
  await expect(liveBadge(reader)).toHaveCount(scripts ? 1 : 0);
  await stranger.goto("/auth");
  await forgetful.goto("/auth/forgot");
  const text = newMessage();
  await fillMessage(visitor, text);
  const wake = await hangDatabase();

  await Promise.all([
    expect(async () => {
      const health = await owner.request.get("/healthz", { timeout: 3000 });
      expect(health.status()).toBe(503);
      expect(await health.json()).toEqual({ process: "ok", database: "away" });
    }).toPass({ timeout: 4000 }),
    (async () => {
      await owner.reload();
      await expect(owner.getByText("فشل تحميل الرسائل")).toBeVisible(pageWithin);
      await expect(owner.getByText("جاري التحميل...")).toBeVisible();
    })(),
    (async () => {
      await sendMessage(visitor);
      const failure = visitor.getByText("لم تُرسل رسالتك بسبب عطل مؤقت");
      await expect(failure).toBeVisible(formWithin);
      await expect(visitor.getByLabel("الرسالة")).toHaveValue(text.message);
    })(),
    (async () => {
      const { email, password } = newAccount();
      await submitCredentials(stranger, { email, password }, "تسجيل الدخول");
      await expect(stranger.getByText("حدث خطأ")).toBeVisible(formWithin);
      await expect(stranger.getByText("تعذّر إتمام الطلب")).toBeVisible();
      await expect(stranger.getByLabel("البريد الإلكتروني")).toHaveValue(email);
    })(),
    (async () => {
      const { email } = newAccount();
      await forgetful.getByLabel("البريد الإلكتروني").fill(email);
      await forgetful.getByRole("button", { name: "إرسال الرسالة" }).click();
      await expect(forgetful.getByText("تعذّر إتمام الطلب")).toBeVisible(formWithin);
      await expect(forgetful.getByLabel("البريد الإلكتروني")).toHaveValue(email);
    })(),
    (async () => {
      if (scripts) {
        await expect(liveBadge(reader)).toHaveCount(0, { timeout: 18_000 });
        await expect(reader.getByText("تعذّر تحديث اللوحة")).toBeVisible({ timeout: 18_000 });
      }
      await expect(cardOf(reader, earlier)).toBeVisible();
    })(),
  ]);
  wake();

  if (!scripts) {
    await expect(async () => {
      expect((await owner.request.get("/healthz")).ok()).toBe(true);
    }).toPass({ timeout: 60_000 });
    await owner.getByRole("link", { name: "إعادة المحاولة" }).click();
  }
  await expect(cardOf(owner, earlier)).toBeVisible({ timeout: 60_000 });
  await expect(liveBadge(reader)).toHaveCount(scripts ? 1 : 0);
  await sendMessage(visitor);
  await expect(visitor.getByText("وصلت رسالتك")).toBeVisible(formWithin);
  await owner.reload();
  await expect(cardOf(owner, text)).toHaveCount(1);
});

test("a form without a response is reported, and the page keeps the text @scripts", async ({
  browser,
}) => {
  const proxy = await startProxy(site);
  const context = await browser.newContext({ baseURL: proxy.url });
  const page = await context.newPage();
  await page.clock.install();
  await page.goto("/");
  const text = newMessage();
  await fillMessage(page, text);
  await page.waitForFunction(isHydrated);
  proxy.setRequests((path) => (path.endsWith(".data") ? "swallow" : "pass"));
  const sent = page.waitForRequest((request) => request.method() === "POST");
  await sendMessage(page);
  await sent;
  await page.clock.fastForward("00:20");
  await expect(page.getByText("لم تُرسل رسالتك.")).toBeVisible();
  await expect(page.getByLabel("الرسالة")).toHaveValue(text.message);
  proxy.setRequests(() => "pass");
  await sendMessage(page);
  await expect(page.getByText("وصلت رسالتك")).toBeVisible();
  await proxy.stop();
});
