import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { postmasterPid } from "embedded-supabase/testing";
import { expect, test } from "vitest";
import { cookieOf, type LiveTab, namesOf, openTab } from "#tests/support/live.ts";
import { storeMessages } from "#tests/support/messages.ts";
import { withSuperuser } from "#tests/support/superuser.ts";
import { useOwner, useOwnSite } from "#tests/support/use-site.ts";

const { site, owner } = useOwner(useOwnSite());

/** Opens a board's socket, as soon as the database is back from what an earlier test did. */
async function openWhenBack(): Promise<LiveTab> {
  const tab = openTab(site, { cookie: cookieOf(owner), address: owner.address });
  if ((await tab.status) === 101) {
    return tab;
  }
  await sleep(500);
  return openWhenBack();
}

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
  // The frame is the message, or a reload if the connection listens only since then.
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
