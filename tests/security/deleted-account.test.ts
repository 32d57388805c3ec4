import { expect, test } from "vitest";
import { mailsTo } from "#tests/support/mails.ts";
import { useSite } from "#tests/support/use-site.ts";
import { setUpFactor } from "#tests/support/visitor-factor.ts";
import { type Answer, signedIn, signedUp, Visitor } from "#tests/support/visitor.ts";

const page = "/account/delete";
const site = useSite();

const went = ({ status, headers }: Answer) => [status, headers.location];
const wrongPassword = "كلمة المرور الحالية غير صحيحة";

test("an account is deleted by its password, its mail says so, and its links are void", async () => {
  const visitor = await signedUp(site);
  const { email, password } = visitor.credentials;
  const neighbour = await signedUp(site);
  const elsewhere = await signedIn(site, visitor.credentials);
  await visitor.post("/auth/forgot", { email });
  await expect.poll(() => mailsTo(site, email)).toHaveLength(1);
  const [reset] = await mailsTo(site, email);
  expect((await visitor.get("/account")).text).toContain(`href="${page}"`);
  const { text: shown } = await visitor.get(page);
  expect(shown).toContain(email);
  expect(shown).not.toContain("مواقع أخرى");
  expect(shown).not.toContain("أنت صاحب صندوق الرسائل");

  for (const [current, reason] of [
    ["", "اكتب كلمة المرور الحالية"],
    ["wrong one", wrongPassword],
    [neighbour.credentials.password, wrongPassword],
  ] as const) {
    const refused = await visitor.post(page, { current });
    expect([refused.status, refused.text.includes(reason)]).toEqual([400, true]);
  }
  expect((await elsewhere.get("/account")).status).toBe(200);

  expect(went(await visitor.post(page, { current: password }))).toEqual([302, "/"]);
  expect(visitor.sessionCookies()).toEqual([]);
  expect((await visitor.get("/")).text).toContain("حُذف حسابك");
  expect((await visitor.get("/")).text).not.toContain("حُذف حسابك");
  expect((await elsewhere.get("/account")).headers.location).toMatch(/^\/auth/);
  expect((await neighbour.get("/account")).status).toBe(200);

  await expect.poll(() => mailsTo(site, email)).toHaveLength(2);
  const [, told] = await mailsTo(site, email);
  expect(told?.file).toContain("-account_deleted-");
  expect(told?.text).toContain("وكل ما يخصه. لا يمكن إرجاعه.");
  const { pathname, search } = reset?.link ?? new URL(site.url);
  const late = new Visitor(site);
  expect((await late.post(pathname + search)).status).toBe(403);
  expect(late.sessionCookies()).toEqual([]);

  await expect(signedIn(site, visitor.credentials)).rejects.toThrow("The sign-in failed");
  await signedUp(site, visitor.credentials);
  expect(site.output()).not.toMatch(/^\S+ error /m);
});

test("with a second factor the password is not enough, and of two presses at once one deletes", async () => {
  const visitor = await signedUp(site);
  const { password: current } = visitor.credentials;
  const { app } = await setUpFactor(visitor, current);
  for (const [code, status] of [
    ["", 400],
    ["000000", 422],
  ] as const) {
    expect((await visitor.post(page, { current, code })).status).toBe(status);
  }
  expect((await visitor.post(page, { current: "wrong one", code: "123456" })).status).toBe(400);
  const form = { current, code: app.code() };
  const presses = await Promise.all([visitor.post(page, form), visitor.post(page, form)]);
  // The other press finds the account deleted, its session ended, or its code used.
  const places = presses.map(({ status, headers }) => [status, headers.location?.slice(0, 5)]);
  expect(places).toContainEqual([302, "/"]);
  expect([
    [302, "/"],
    [302, "/auth"],
    [422, undefined],
  ]).toEqual(expect.arrayContaining(places));
  expect(visitor.sessionCookies()).toEqual([]);
  expect(site.output()).not.toMatch(/^\S+ error |A browser got no proof/m);
});
