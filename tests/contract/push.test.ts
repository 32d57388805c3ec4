import { decodeJwt } from "jose";
import { beforeAll, expect, test } from "vitest";
import { type Client, proved, signIn, signUp } from "#tests/support/auth-server.ts";
import { useNotifications } from "#tests/support/notifications.ts";
import { newSubscription as device } from "#tests/support/push-device.ts";

const notifications = useNotifications(["push"]);

async function save(client: Client, subscription = device()) {
  return (await client.rpc("save_push_subscription", subscription)).error?.code;
}

/** The owner's browser, signed in once more. */
const unproved = async () => (await signIn(notifications.server, notifications.owner)).client;
/** The same, which has given the password again. */
const newBrowser = async () => proved(await unproved());
beforeAll(() => proved(notifications.client));

async function endpoints(): Promise<string[]> {
  const targets = await notifications.callAsSite("push_targets", {});
  return (targets as { endpoint: string }[]).map(({ endpoint }) => endpoint).toSorted();
}

test("a browser is listed with its session, and gets notifications", async () => {
  const [one, other] = [device(), device()];
  const phone = await newBrowser();
  expect([await save(notifications.client, one), await save(phone, other)]).toEqual([
    undefined,
    undefined,
  ]);
  const { data } = await phone.rpc("push_subscriptions");
  expect(data).toMatchObject([{ is_current: false }, { is_current: true }]);
  expect(await notifications.callAsSite("push_targets", {})).toEqual(
    expect.arrayContaining([expect.objectContaining(one), expect.objectContaining(other)]),
  );
});

test("a session has one subscription, and an endpoint has one session", async () => {
  const [first, second] = [device(), device()];
  await save(notifications.client, first);
  await save(notifications.client, first);
  await save(notifications.client, second);
  expect(await endpoints()).toEqual([second.endpoint]);
  const again = await newBrowser();
  const renewed = { ...device(), endpoint: second.endpoint };
  expect(await save(again, renewed)).toBeUndefined();
  expect(await notifications.callAsSite("push_targets", {})).toMatchObject([renewed]);
  expect((await again.rpc("push_subscriptions")).data).toMatchObject([{ is_current: true }]);
});

test("a token alone adds no device, and replaces none", async () => {
  const [own, thiefs] = [device(), device()];
  const leaked = await unproved();
  expect([await save(leaked, own), await endpoints()]).toEqual(["PT403", []]);
  const session = String(
    decodeJwt((await leaked.auth.getSession()).data.session?.access_token ?? "")["session_id"],
  );
  await proved(leaked);
  expect(await save(leaked, own)).toBeUndefined();
  await notifications.sql`
    update auth.mfa_amr_claims set created_at = created_at - interval '11 minutes',
      updated_at = updated_at - interval '11 minutes' where session_id = ${session}`;
  expect(await save(leaked, thiefs)).toBe("PT403");
  // As another session's device, which the browser of this one may have become.
  await save(notifications.client, thiefs);
  expect(await save(leaked, thiefs)).toBe("PT403");
  expect(await endpoints()).toEqual([own.endpoint, thiefs.endpoint].toSorted());
});

test("an invalid subscription, or one with a forbidden address, is refused", async () => {
  const good = device();
  const wrong = [
    ...[
      "http://fcm.push.example/x",
      "https://localhost/x",
      "https://127.0.0.1/x",
      "https://fcm.push.example:8443/x",
      "https://me:pass@fcm.push.example/x",
      "https://push.example/x\r\nHost: other",
      "https://push.example\\@127.0.0.1/x",
      `https://push.example/${"x".repeat(980)}`,
      "",
      null,
    ].map((endpoint) => ({ endpoint })),
    ...["", "B", `A${good.p256dh.slice(1)}`, `${good.p256dh}=`, `${good.p256dh}AA`, null].map(
      (p256dh) => ({ p256dh }),
    ),
    ...["", `${good.auth}==`, good.auth.slice(1), `${good.auth.slice(1)}+`, null].map((auth) => ({
      auth,
    })),
  ];
  for (const part of wrong) {
    const { error, status } = await notifications.client.rpc("save_push_subscription", {
      ...good,
      ...part,
    });
    expect([part, status, error?.message]).toEqual([part, 400, "Not a push subscription"]);
  }
  expect(await endpoints()).toEqual([]);
});

test("an account that does not own the inbox cannot subscribe, take over or end a subscription", async () => {
  const own = device();
  await save(notifications.client, own);
  const { client: stranger } = await signUp(notifications.server);
  const [listed] = (await notifications.client.rpc("push_subscriptions")).data ?? [];
  expect(await save(stranger)).toBe("PT403");
  expect(await save(stranger, { ...device(), endpoint: own.endpoint })).toBe("PT403");
  expect((await stranger.rpc("push_subscriptions")).data).toEqual([]);
  expect((await stranger.rpc("delete_push_subscription", { id: listed?.id })).data).toBe(false);
  expect(await notifications.callAsSite("push_targets", {})).toMatchObject([own]);
  const removed = await notifications.client.rpc("delete_push_subscription", { id: listed?.id });
  expect([removed.data, await endpoints()]).toEqual([true, []]);
});

test("there are at most twenty subscriptions, also if many are made at once", async () => {
  const browsers = await Promise.all(Array.from({ length: 24 }, newBrowser));
  const codes = await Promise.all(browsers.map((browser) => save(browser)));
  expect(codes.filter((code) => code === "PT409")).toHaveLength(4);
  expect(await endpoints()).toHaveLength(20);
  const full = browsers[codes.indexOf(undefined)];
  expect(full && (await save(full))).toBeUndefined();
  expect(await endpoints()).toHaveLength(20);
});

test("a subscription ends with its session, however that ended", async () => {
  const kept = device();
  await save(notifications.client, kept);
  const ends: ((browser: Client) => Promise<unknown>)[] = [
    (browser) => browser.auth.signOut({ scope: "local" }),
    async (browser) => {
      const { data } = await browser.rpc("my_sessions");
      const current = data.find((session: { is_current: boolean }) => session.is_current);
      await notifications.client.rpc("end_session", { session_id: current.id });
    },
    () => notifications.client.auth.signOut({ scope: "others" }),
  ];
  for (const end of ends) {
    const browser = await newBrowser();
    await save(browser);
    expect(await endpoints()).toHaveLength(2);
    await end(browser);
    expect(await endpoints()).toEqual([kept.endpoint]);
  }
  await notifications.sql`update auth.sessions set not_after = now() - interval '1 second'`;
  expect(await endpoints()).toEqual([]);
  await notifications.sql`update auth.sessions set not_after = null`;
});

test("the devices of a banned or deleted owner get nothing", async () => {
  const { sql, client } = notifications;
  const own = device();
  await save(client, own);
  await sql`update auth.users set banned_until = now() + interval '1 hour'`;
  expect(await endpoints()).toEqual([]);
  await sql`update auth.users set banned_until = now() - interval '1 hour', deleted_at = now()`;
  expect(await endpoints()).toEqual([]);
  await sql`update auth.users set deleted_at = null`;
  expect(await endpoints()).toEqual([own.endpoint]);
});
