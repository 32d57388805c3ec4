import { expect, test } from "vitest";
import { useClaimedSite } from "#tests/support/use-site.ts";
import { signedUp, type Visitor } from "#tests/support/visitor.ts";

const { site, owner, sql } = useClaimedSite();

const question = "نعم، هذا التاريخ صحيح";
/** The last sweep was that long ago. */
const setTrusted = (ago: string) =>
  sql(`update private.clock set trusted_at = now() - interval '${ago}', jumped_at = null`);
const isTrusted = async () =>
  (await sql("select not private.date_is_in_doubt() as trusted"))[0]?.trusted;

/** The value of the button that confirms the date. */
const shownDate = async (by: Visitor) =>
  /<button[^>]* value="(\d{4}-[^"]+)"/.exec((await by.get("/admin")).text)?.[1] ?? "";

test("the owner sees a date in doubt on the board and confirms it, without scripts", async () => {
  await setTrusted("1 day");
  expect((await owner.get("/admin")).text).not.toContain(question);
  await setTrusted("5 days");
  expect((await owner.get("/admin")).text).toContain("عاد الحذف وحده خلال يوم");
  await setTrusted("3 years");
  const { text } = await owner.get("/admin");
  expect(text).toContain("تُحذف به رسائل قبل وقتها");
  const year = new Intl.NumberFormat("ar-SA-u-nu-arab", { useGrouping: false });
  expect(text).toContain(year.format(new Date().getFullYear()));
  expect(text).toContain(year.format(new Date().getFullYear() - 3));
  const { status, headers } = await owner.post("/admin", { date: await shownDate(owner) });
  expect([status, headers.location]).toEqual([302, "/admin"]);
  const after = await owner.get("/admin");
  expect(after.text).toContain("أُكّد التاريخ");
  expect(after.text).not.toContain(question);
  expect(await isTrusted()).toBe(true);
  expect(site.linesWith("The owner confirmed the date")).toHaveLength(1);
});

test("a date that the board no longer shows, or none, confirms nothing", async () => {
  await setTrusted("3 years");
  const late = new Date(Date.now() - 3 * 24 * 60 * 60 * 1000).toISOString();
  for (const date of [late, "", "today", "infinity", "0000-01-01T00:00:00Z"]) {
    expect((await owner.post("/admin", { date })).status).toBe(302);
    expect((await owner.get("/admin")).text).toContain("تغيّر تاريخ الخادم");
  }
  expect(await isTrusted()).toBe(false);
});

test("another account sees no question and confirms nothing", async () => {
  await setTrusted("3 years");
  const date = await shownDate(owner);
  const stranger = await signedUp(site);
  expect((await stranger.get("/admin")).text).not.toContain(question);
  await stranger.post("/admin", { date });
  expect((await stranger.get("/admin")).text).toContain("لا يؤكد التاريخ إلا صاحب الصندوق");
  expect(await isTrusted()).toBe(false);
});
