import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { awayText } from "#app/models/absences.server.ts";
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
const minuteMs = 60_000;
const day = (count: number) => fileDate(new Date(Date.now() + count * 86_400_000));

const isSaid = async (site: { url: string }) =>
  (await new Visitor(site).get("/")).text.includes("غائب حتى");
const openBoard = async (site: { url: string }, reader: Visitor) => {
  const tab = openTab(site, { cookie: cookieOf(reader), address: newAddress() });
  expect(await tab.status).toBe(101);
  onTestFinished(() => tab.socket.close());
  return tab;
};
const setNextClock = (site: { pid(): number | undefined }) =>
  process.kill(site.pid() ?? 0, "SIGUSR2");
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
  const now = Date.now();
  const NODE_OPTIONS = `--import=${clockScript(now, now + minuteMs)}`;
  const [first, second] = await Promise.all([start(), start({ NODE_OPTIONS })]);
  const owner = await signedUp(first);
  const { email } = owner.credentials;
  await sql(`select private.own_inbox(id) from auth.users where email = '${email}'`);
  const board = await openBoard(second, owner);
  expect(
    (await owner.post("/account", { action: "add-absence", first: day(0), last: day(1) })).status,
  ).toBe(302);
  expect(await isSaid(first)).toBe(true);
  expect(await isSaid(second)).toBe(false);
  setNextClock(second);
  await expect.poll(() => isSaid(second)).toBe(true);
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
  const now = Date.now();
  const clock = clockScript(now, now + minuteMs, now + 2 * minuteMs);
  const site = await start({ NODE_OPTIONS: `--import=${clock}` });
  await expect.poll(() => refused).toBe(1);
  expect(await isSaid(site)).toBe(false);
  outside.gateway.setRequests(() => "pass");
  setNextClock(site);
  await expect.poll(() => isSaid(site)).toBe(true);
  outside.gateway.setRequests(refuse);
  setNextClock(site);
  await expect.poll(() => refused).toBe(2);
  expect(await isSaid(site)).toBe(true);
  outside.gateway.setRequests(() => "pass");
});

/** The midnight at which a day of the owner's begins, in milliseconds since 1970. */
function midnightOf(date: string): number {
  const utc = Date.parse(date);
  return utc - (clockTime(date).getTime() - utc);
}

/** The end of the last working day before an absence, from which the page announces it. */
function announcementOf(absence: { first: string; last: string }): number {
  let minute = midnightOf(absence.first);
  while (awayText([absence], minute - minuteMs)) {
    minute -= minuteMs;
  }
  return minute;
}

test("the page in memory and an open board change by the clock alone: before an absence, at its begin and at its end", async () => {
  // Far enough ahead that a weekend before it has not begun.
  const absence = { first: day(5), last: day(5) };
  const [announced, begin, end] = [announcementOf(absence), midnightOf(day(5)), midnightOf(day(6))];
  const changes = [announced, begin, end];
  const clock = clockScript(...changes.flatMap((change) => [change - minuteMs, change]));
  const { site, owner } = await startClaimedSite({ NODE_OPTIONS: `--import=${clock}` });
  onTestFinished(() => site.stop());
  await owner.post("/account", { action: "add-absence", ...absence });
  const said = async () => [
    await isSaid(site),
    (await owner.get("/admin")).text.includes("أنت غائب حتى"),
  ];
  const expectChange = async (...expected: boolean[]) => {
    const { frames } = await openBoard(site, owner);
    setNextClock(site);
    await expect.poll(() => frames).toEqual([reload]);
    await expect.poll(said).toEqual(expected);
  };

  expect(await said()).toEqual([false, false]);
  await expectChange(true, false);
  setNextClock(site);
  expect(await said()).toEqual([true, false]);
  await expectChange(true, true);
  setNextClock(site);
  expect(await said()).toEqual([true, true]);
  await expectChange(false, false);
});
