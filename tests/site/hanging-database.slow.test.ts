import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { childrenOf, isAlive, postmasterPid } from "embedded-supabase/testing";
import { expect, test } from "vitest";
import { cookieOf, type LiveTab, namesOf, openTab } from "#tests/support/live.ts";
import { readMessages, storeMessages } from "#tests/support/messages.ts";
import { receiptPath, sendForReceipt, storedWith } from "#tests/support/receipts.ts";
import { withSuperuser } from "#tests/support/superuser.ts";
import { useOwner, useOwnSite } from "#tests/support/use-site.ts";
import { ask, hidden, newCredentials, Visitor } from "#tests/support/visitor.ts";
import { within } from "#tests/support/within.ts";

const { site, owner } = useOwner(useOwnSite());

/** PostgreSQL then accepts connections but does not respond, until woken up or restarted. */
async function hangDatabase(): Promise<() => void> {
  const postmaster = await postmasterPid(site.dataDir);
  const processes = [postmaster, ...childrenOf(postmaster)];
  const send = (signal: NodeJS.Signals) =>
    processes.filter(isAlive).forEach((pid) => process.kill(pid, signal));
  send("SIGSTOP");
  return () => send("SIGCONT");
}

/** Opens a board's socket, as soon as the database is back from what an earlier test did. */
async function openWhenBack(): Promise<LiveTab> {
  const tab = openTab(site, { cookie: cookieOf(owner), address: owner.address });
  if ((await tab.status) === 101) {
    return tab;
  }
  await sleep(500);
  return openWhenBack();
}

// The deadline of a page is 5 seconds, of a form 10. The rest is for a busy machine.
const [page, form] = [8, 13];

test("each page and form reports a hanging database in time, and recovers", async () => {
  const account = newCredentials();
  const message = { name: "نورة", email: "noura@example.com", message: "أريد صفحة", t_extra: "" };
  const visitor = new Visitor(site);
  const noted = { name: "سعد", email: "saad@example.com", message: "سلام", note: "أولى" };
  const [stored] = await storeMessages(site.dataDir, [noted]);
  const note = { id: stored?.id ?? "", note: "ثانية" };
  const noteAt = `/admin?open=${note.id}`;
  // As of a board that was open: its session is known.
  await owner.get("/admin");
  const wake = await hangDatabase();
  const [health, board, sent, saved, signIn, mail] = await Promise.all([
    within(4, ask(site, "GET", "/healthz")),
    within(page, owner.get("/admin")),
    within(form, visitor.post("/", message)),
    within(form, owner.post(noteAt, note)),
    within(form, new Visitor(site).post("/auth", account)),
    within(form, new Visitor(site).post("/auth/forgot", account)),
  ]);
  wake();
  expect([health.status, JSON.parse(health.text)]).toEqual([
    503,
    expect.objectContaining({ process: "ok", database: "down" }),
  ]);
  for (const [{ status, text }, ...shown] of [
    [board, "فشل تحميل الرسائل", "جاري التحميل..."],
    [sent, "نصها محفوظ هنا", message.message],
    [saved, "عطل مؤقت", `>${note.note}</textarea>`, `action="${noteAt}"`],
    [signIn, "تعذّر إتمام الطلب", account.email],
    [mail, "تعذّر إتمام الطلب", account.email],
  ] as const) {
    expect(status).toBeGreaterThanOrEqual(500);
    expect(shown.filter((part) => !text.includes(part))).toEqual([]);
  }
  expect(signIn.text).not.toContain("Request rate limit reached");

  const isBack = async () => (await owner.get("/admin")).status;
  await expect.poll(isBack, { timeout: 50_000 }).toBe(200);
  const id = hidden(saved.text, "id");
  const again = await owner.post(noteAt, { ...note, id });
  expect([again.status, (await readMessages(site.dataDir))[0]?.note]).toEqual([302, note.note]);
  expect((await visitor.post("/", message)).status).toBe(302);
  expect((await owner.get("/admin")).text).toContain(message.message);
});

test("the pages of a receipt do not wait for a hanging database", async () => {
  const visitor = new Visitor(site);
  const receipt = await sendForReceipt(site, "رسالة لها إيصال");
  const getBoth = () => [visitor.get(`/?sent=${receipt}`), visitor.get(receiptPath(receipt))];
  // For each a connection that is open already.
  await Promise.all(getBoth());
  const wake = await hangDatabase();
  const answers = getBoth().map((answer) => within(page, answer));
  const [thanks, shown] = await Promise.all(answers).finally(wake);
  expect([thanks?.status, thanks?.text.includes("وصلت رسالتك")]).toEqual([200, true]);
  expect(shown?.status).toBe(503);
});

test("a message whose fate is unknown is not called unsent, and its repeat makes no double", async () => {
  const visitor = new Visitor(site);
  const message = "رسالة أثناء التوقف";
  const fields = { name: "نورة", email: "noura@example.com", message, t_extra: "" };
  // For a connection that is open already.
  await sendForReceipt(site, "رسالة قبل التوقف");
  const wake = await hangDatabase();
  const sent = within(form, visitor.post("/", fields));
  const { status, text } = await sent.finally(wake);
  expect([status, text.includes("لا يُعرف هل وصلت رسالتك")]).toEqual([503, true]);
  expect(text).not.toContain("لم تُرسل رسالتك");
  // PostgreSQL stores it now. If it was restarted meanwhile, it has lost it.
  const repeat = async () => (await visitor.post("/", fields)).headers.location;
  await expect.poll(repeat, { timeout: 30_000 }).toMatch(/\?sent=./);
  expect(await storedWith(site, message)).toHaveLength(1);
});

test("the privacy page needs no database", async () => {
  const wake = await hangDatabase();
  const { status, text } = await within(page, ask(site, "GET", "/privacy")).finally(wake);
  expect([status, text.includes("حقوقك وكيف تستعملها")]).toEqual([200, true]);
});

const storeMessage = () =>
  storeMessages(site.dataDir, [
    { name: "بعد القطع", email: "a@example.com", message: randomUUID() },
  ]);

test("boards receive messages again soon after the database was killed", async () => {
  await openWhenBack();
  process.kill(await postmasterPid(site.dataDir), "SIGKILL");
  const stores = () => storeMessage().then(Boolean, () => false);
  await expect.poll(stores, { timeout: 50_000, interval: 500 }).toBe(true);
  const { frames } = await openWhenBack();
  await storeMessage();
  // Or to reload, by a connection that listens since.
  await expect.poll(() => frames.length, { timeout: 10_000 }).toBeGreaterThan(0);
});

test("a cut of the connection that listens ends open boards' sockets, which may open again at once", async () => {
  const tab = await openWhenBack();
  const [cut] = await withSuperuser(
    site.dataDir,
    (sql) => sql`
      select pg_terminate_backend(pid) as is_done from pg_stat_activity
      where query = 'listen changes'`,
  );
  expect(cut).toEqual({ is_done: true });
  expect(await tab.closed).toBe(1001);
  const next = await openWhenBack();
  await storeMessage();
  await expect.poll(() => namesOf(next)).toEqual(["بعد القطع"]);
});
