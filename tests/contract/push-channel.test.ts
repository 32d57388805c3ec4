import type { Sql } from "embedded-supabase/testing";
import { expect, onTestFinished, test } from "vitest";
import { proved, signUp } from "#tests/support/auth-server.ts";
import { leaveAtOnce, useNotifications } from "#tests/support/notifications.ts";
import { newPushDevice } from "#tests/support/push-device.ts";
import { devicesOf, subscribe } from "#tests/support/push-owner.ts";

const notifications = useNotifications(["push"]);

/** Runs a statement in a transaction that stays open. Returns a function that commits it. */
async function holdOpen(statement: (sql: Sql) => Promise<unknown>): Promise<() => Promise<void>> {
  const done = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const transaction = notifications.sql.begin(async (sql) => {
    await statement(sql);
    done.resolve();
    await released.promise;
  });
  onTestFinished(() => released.resolve());
  await Promise.race([done.promise, transaction]);
  return async () => {
    released.resolve();
    await transaction;
  };
}

const isOn = async () => (await notifications.client.rpc("notification_state")).data?.length === 1;

test("messages are announced by push only while there is a device", async () => {
  const undelivered = () => notifications.sql`select from private.notifications`;
  await notifications.leave({});
  expect([await isOn(), (await undelivered()).length]).toEqual([false, 0]);
  await subscribe(notifications);
  await notifications.leave({});
  await notifications.callAsSite("set_notification_channels", { channels: [] });
  await notifications.leave({});
  expect([await isOn(), (await undelivered()).length]).toEqual([true, 2]);
  expect(
    await notifications.callAsSite("take_notifications", { for_channel: "push" }),
  ).toMatchObject([{ messages: 2 }]);
  const [{ id } = {}] = await devicesOf(notifications.client);
  await notifications.callAsSite("expire_push", { ids: [id] });
  expect([await isOn(), (await undelivered()).length]).toEqual([false, 0]);
  await leaveAtOnce(notifications.sql, 2);
  await notifications.sql`update private.notification_channels set next_at = now() + interval '10 minutes'`;
  await subscribe(notifications);
  expect((await undelivered()).length).toBe(0);
  await notifications.leave({});
  expect(
    await notifications.callAsSite("take_notifications", { for_channel: "push" }),
  ).toMatchObject([{ messages: 1 }]);
});

test("a device added while the last other one is removed keeps the channel on", async () => {
  await subscribe(notifications);
  const commit = await holdOpen((sql) => sql`delete from private.push_subscriptions`);
  const coming = subscribe(notifications);
  await expect.poll(waitingToSave).toBe(1);
  await commit();
  await coming;
  expect([await isOn(), (await devicesOf(notifications.client)).length]).toEqual([true, 1]);
});

test("a new owner removes all devices, also one that is being saved", async () => {
  const [before] = await notifications.sql`select user_id from private.site_owner`;
  const { client: heir, user } = await signUp(notifications.server);
  onTestFinished(async () => {
    await notifications.sql`update private.site_owner set user_id = ${before?.["user_id"]}`;
  });
  await subscribe(notifications);
  const commit = await holdOpen(
    (sql) => sql`
      insert into private.site_owner (user_id) values (${user.id})
      on conflict (singleton) do update set user_id = excluded.user_id, claimed_at = now()`,
  );
  const late = subscribe(notifications).catch((error: unknown) => error);
  await expect.poll(waitingToSave).toBe(1);
  await commit();
  expect(await late).toMatchObject({ code: "PT403" });
  expect(await notifications.callAsSite("push_targets", {})).toEqual([]);
  const { subscription } = newPushDevice();
  await (await proved(heir)).rpc("save_push_subscription", subscription);
  expect(await notifications.callAsSite("push_targets", {})).toMatchObject([subscription]);
});

const waitingToSave = async () => {
  const rows = await notifications.sql`
    select from pg_stat_activity
    where wait_event_type = 'Lock' and query like '%save_push_subscription%'`;
  return rows.length;
};
