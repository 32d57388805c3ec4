import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { startTestServer } from "#tests/support/embedded-server.ts";
import { leaveMessage } from "#tests/support/messages.ts";
import { openSuperuser } from "#tests/support/superuser.ts";

const server = await startTestServer();
const superuser = await openSuperuser(server.dataDir);
afterAll(async () => {
  await superuser.end();
  await server.close();
});

/** Stores a message as a visitor does. */
async function send(name: string): Promise<number> {
  const row = { name, email: "a@example.com", message: `نص ${name}` };
  return (await leaveMessage(server, row)).status;
}

/** How many calls wait for this. */
const waiting = async (event: string) =>
  (await superuser`select from pg_stat_activity where wait_event = ${event}`).length;

// A commit that waits for a replica that never comes, in place of a disk that hangs.
async function setReplica(name: string) {
  await superuser.script(`alter system set synchronous_standby_names = '${name}'`);
  await superuser`select pg_reload_conf()`;
}

test("a commit that hangs for two seconds loses no message that waits behind it", async () => {
  await setReplica("nobody");
  const first: Promise<number>[] = [];
  // PostgreSQL reads the setting a little later: until then commits wait for nobody.
  await expect
    .poll(() => {
      first.push(send(`الأولى ${first.length}`));
      return waiting("SyncRep");
    })
    .toBe(1);
  const behind = [send("الثانية"), send("الثالثة")];
  await expect.poll(() => waiting("object")).toBeGreaterThanOrEqual(2);
  await sleep(2_000);
  await setReplica("");
  const statuses = await Promise.all([...first, ...behind]);
  expect(statuses.filter((status) => status !== 200)).toEqual([]);
});
