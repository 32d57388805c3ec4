import { beforeEach, expect, test } from "vitest";
import { newSubscription } from "#tests/support/push-device.ts";
import { useClaimedSite } from "#tests/support/use-site.ts";
import { signedUp, Visitor } from "#tests/support/visitor.ts";

const inbox = useClaimedSite();
beforeEach(() => inbox.sql("delete from private.push_subscriptions"));

const stored = () =>
  inbox.sql(
    "select id, endpoint, p256dh, auth from private.push_subscriptions order by created_at",
  );
const turnOn = (form: object = newSubscription(), visitor: Visitor = inbox.owner) =>
  visitor.post("/account/device", { current: inbox.owner.credentials.password, ...form });
const turnOff = (id: string, visitor: Visitor = inbox.owner) =>
  visitor.post("/account", { "push-off": id });
/** The notice shown on the account page. */
async function told(visitor: Visitor = inbox.owner) {
  const { text } = await visitor.get("/account");
  return ["شُغّلت تنبيهات هذا الجهاز", "أُوقفت تنبيهات الجهاز", "اختر جهازًا"].filter((notice) =>
    text.includes(`>${notice}`),
  );
}

test("a device is stored once per session", async () => {
  const device = newSubscription();
  for (const _ of ["first", "again"]) {
    const { status, headers } = await turnOn(device);
    expect([status, headers.location]).toEqual([302, "/account#notifications"]);
    expect(await told()).toEqual(["شُغّلت تنبيهات هذا الجهاز"]);
    expect(await stored()).toMatchObject([device]);
  }
});

const good = newSubscription();
test.each<[string, object]>([
  ["an endpoint in the site's network", { endpoint: "https://127.0.0.1/x" }],
  ["a short key", { p256dh: good.p256dh.slice(1) }],
  ["a missing field", { auth: "" }],
])("%s is refused with an error text", async (_what, wrong) => {
  const { status, text } = await turnOn({ ...good, ...wrong });
  expect([status, text.includes("لم يذكر متصفحك عنوانًا صالحًا")]).toEqual([400, true]);
  expect(await stored()).toEqual([]);
});

test("a session without the password or a code adds no device", async () => {
  const wrong = await turnOn({ ...good, current: "not the password" });
  expect([wrong.status, wrong.text.includes("كلمة المرور الحالية غير صحيحة")]).toEqual([400, true]);
  expect(await stored()).toEqual([]);
});

test("a device is removed only by its id", async () => {
  await turnOn();
  const [{ id }] = await stored();
  await told();
  for (const wrong of ["", "x", `${id}'`]) {
    await turnOff(wrong);
    expect([wrong, await told()]).toEqual([wrong, ["اختر جهازًا"]]);
  }
  await turnOff(id);
  expect(await told()).toEqual(["أُوقفت تنبيهات الجهاز"]);
  expect(await stored()).toEqual([]);
});

test("only the owner has the switch, and its forms change nothing for other accounts", async () => {
  await turnOn();
  const [{ id }] = await stored();
  const stranger = await signedUp(inbox.site);
  const { text } = await stranger.get("/account");
  expect(text).not.toContain("تنبيهات هذا الجهاز");
  await turnOff(id, stranger);
  expect((await stranger.get("/account")).text).toContain("التنبيهات لصاحب الصندوق وحده");
  expect((await turnOn(undefined, stranger)).headers.location).toBe("/account");
  expect((await stranger.get("/account/device")).headers.location).toBe("/account");
  expect(await stored()).toMatchObject([{ id }]);
  const nobody = await turnOn(undefined, new Visitor(inbox.site));
  expect(nobody.headers.location).toMatch(/^\/auth/);
});
