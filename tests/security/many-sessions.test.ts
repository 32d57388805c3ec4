import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningSite, startSite } from "#tests/support/site.ts";
import { signedUp, Visitor } from "#tests/support/visitor.ts";

let site: RunningSite;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site?.stop());

const listed = (html: string) => html.match(/<time /g)?.length;

test("the page of an account lists 20 sessions and counts the rest; all others can be ended", async () => {
  const owner = await signedUp(site);
  expect(listed((await owner.get("/account")).text)).toBe(1);
  const others: Visitor[] = [];
  for (let count = 0; count < 24; count += 1) {
    const other = new Visitor(site);
    expect((await other.post("/auth", owner.credentials)).status).toBe(302);
    others.push(other);
  }
  const { text } = await owner.get("/account");
  expect(listed(text)).toBe(20);
  expect(text).toContain("هذا الجهاز");
  expect(text).toMatch(/جلسات أقدم لا تظهر هنا: (?:<!-- -->)?٥</);
  expect(text.length).toBeLessThan(60_000);

  expect((await owner.post("/account", { session: "others" })).status).toBe(302);
  const [after, first, last] = await Promise.all([
    owner.get("/account"),
    others[0]?.get("/account"),
    others[23]?.get("/account"),
  ]);
  expect(listed(after.text)).toBe(1);
  expect(after.text).not.toContain("جلسات أقدم");
  expect([first?.status, last?.status]).toEqual([302, 302]);
});
