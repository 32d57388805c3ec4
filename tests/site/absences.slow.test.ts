import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { clockTime, fileDate } from "#app/models/date.server.ts";
import { newAddress } from "#tests/support/address.ts";
import { startClaimedSite } from "#tests/support/claimed-site.ts";
import { cookieOf, openTab } from "#tests/support/live.ts";
import { type Outside, startOutside } from "#tests/support/outside.ts";
import { clockScript } from "#tests/support/site-clock.ts";
import { startSite } from "#tests/support/site.ts";
import { withSuperuser } from "#tests/support/superuser.ts";
import { signedUp, Visitor } from "#tests/support/visitor.ts";

// How a process hears of an absence that it did not change itself: from another process, from a database that
// answers later, and from its clock alone.
const hourMs = 60 * 60 * 1000;
const day = (count: number) => fileDate(new Date(Date.now() + count * 24 * hourMs));

const isSaid = async (site: { url: string }) =>
  (await new Visitor(site).get("/")).text.includes("غائب حتى");
const openBoard = async (site: { url: string }, reader: Visitor) => {
  const tab = openTab(site, { cookie: cookieOf(reader), address: newAddress() });
  expect(await tab.status).toBe(101);
  onTestFinished(() => tab.socket.close());
  return tab;
};
const reload = "null";

let outside: Outside;
beforeAll(async () => {
  outside = await startOutside();
});
afterAll(() => outside.close());

const sql = (statements: string) =>
  withSuperuser(outside.supabase.dataDir, (pool) => pool.script(statements));
async function start(more: Record<string, string> = {}) {
  const site = await startSite({ ...outside.env, ...more });
  onTestFinished(() => site.stop());
  return site;
}

test("what is changed at one process is said by another within a minute, and read once by its open boards", async () => {
  const [first, second] = await Promise.all([start(), start()]);
  const owner = await signedUp(first);
  const { email } = owner.credentials;
  await sql(`select private.own_inbox(id) from auth.users where email = '${email}'`);
  const board = await openBoard(second, owner);
  expect(
    (await owner.post("/account", { action: "add-absence", first: day(0), last: day(1) })).status,
  ).toBe(302);
  expect(await isSaid(first)).toBe(true);
  await expect.poll(() => isSaid(second), { timeout: 65_000, interval: 500 }).toBe(true);
  expect(board.frames).toEqual([reload]);
});

test("while the database does not answer there is none at the start, and later what was known last", async () => {
  await sql(`
    delete from private.absences;
    insert into private.absences values ('${day(0)}', '${day(1)}')`);
  let refused = 0;
  const refuse = (path: string) => {
    refused += Number(path.endsWith("/rpc/read_absences"));
    return { status: 503, body: {} };
  };
  outside.gateway.setRequests(refuse);
  const site = await start({ NODE_OPTIONS: `--import=${clockScript(Date.now())}` });
  await expect.poll(() => refused).toBeGreaterThan(1);
  expect(await isSaid(site)).toBe(false);
  outside.gateway.setRequests(() => "pass");
  await expect.poll(() => isSaid(site)).toBe(true);
  refused = 0;
  outside.gateway.setRequests(refuse);
  await expect.poll(() => refused).toBeGreaterThan(1);
  expect(await isSaid(site)).toBe(true);
  outside.gateway.setRequests(() => "pass");
});

/** The midnight at which a day of the owner's begins, in milliseconds since 1970. */
function midnightOf(date: string): number {
  const utc = Date.parse(date);
  return utc - (clockTime(date).getTime() - utc);
}

test("the page in memory and an open board change by the clock alone at both midnights of an absence", async () => {
  const [begin, end] = [midnightOf(day(2)), midnightOf(day(3))];
  const clock = clockScript(begin - hourMs, begin + hourMs, end - hourMs, end + hourMs);
  const { site, owner } = await startClaimedSite({ NODE_OPTIONS: `--import=${clock}` });
  onTestFinished(() => site.stop());
  await owner.post("/account", { action: "add-absence", first: day(2), last: day(2) });
  const isOnBoard = async () => (await owner.get("/admin")).text.includes("أنت غائب حتى");
  const setClock = () => process.kill(site.pid() ?? 0, "SIGUSR2");
  expect(await isOnBoard()).toBe(false);
  const before = await openBoard(site, owner);

  setClock();
  await expect.poll(async () => [await isSaid(site), before.frames]).toEqual([true, [reload]]);
  expect(await isOnBoard()).toBe(true);

  setClock();
  expect([await isSaid(site), await isOnBoard()]).toEqual([true, true]);
  // Its session is renewed on the new day.
  const after = await openBoard(site, owner);
  setClock();
  await expect.poll(async () => [await isSaid(site), after.frames]).toEqual([false, [reload]]);
  expect(await isOnBoard()).toBe(false);
});
