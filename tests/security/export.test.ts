import { expect } from "vitest";
import { test } from "#tests/support/site-test.ts";
import { setUpFactor } from "#tests/support/visitor-factor.ts";
import { newCredentials, signedUp, Visitor } from "#tests/support/visitor.ts";

const path = "/admin/export?box=spam&q=word&format=csv";
const board = encodeURIComponent("/admin?q=word&box=spam");

async function locationOf(visitor: Visitor) {
  const { status, headers } = await visitor.get(path);
  return headers.location ?? status;
}

test("an export has the board's access checks, and redirects to the board", async ({ site }) => {
  const credentials = newCredentials("owner");
  const owner = await signedUp(site, credentials);
  const stranger = await signedUp(site);
  expect(await locationOf(new Visitor(site))).toBe(`/auth?next=${board}`);
  // Until the inbox has an owner, every account can read it.
  expect([await locationOf(owner), await locationOf(stranger)]).toEqual([200, 200]);
  await owner.post("/admin/claim", { code: site.claimCode() });
  expect([await locationOf(owner), await locationOf(stranger)]).toEqual([200, "/admin"]);

  await setUpFactor(owner, credentials.password);
  expect(await locationOf(owner)).toBe(200);
  const thief = new Visitor(site);
  await thief.post("/auth", credentials);
  expect(await locationOf(thief)).toBe(`/auth/code?next=${board}`);
  await owner.post("/sign-out");
  expect(await locationOf(owner)).toBe(`/auth?next=${board}`);
});

test("an export accepts only GET, and refuses unknown formats and boxes", async ({ site }) => {
  const reader = await signedUp(site);
  expect((await reader.post(path)).status).toBe(405);
  for (const [asked, text] of [
    ["?format=xml", "صيغة الملف غير معروفة"],
    ["", "صيغة الملف غير معروفة"],
    ["?format=__proto__", "صيغة الملف غير معروفة"],
    ["?format=csv&box=inbox", "هذا الصندوق غير معروف"],
    ["?format=csv&box=constructor", "هذا الصندوق غير معروف"],
  ] as const) {
    const answer = await reader.get(`/admin/export${asked}`);
    expect([answer.status, answer.text]).toEqual([400, text]);
    expect(answer.headers["content-type"]).toBe("text/plain; charset=utf-8");
  }
  const noSearch = await reader.get("/admin/export?format=csv&q=x");
  expect([noSearch.status, noSearch.headers.location]).toEqual([302, "/admin?q=x"]);
});
