import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningSite, startSite } from "#tests/support/site.ts";
import { signedUp, Visitor } from "#tests/support/visitor.ts";

let site: RunningSite;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.stop());

const send = (email: string) =>
  new Visitor(site).post("/", { name: "زائر", email, message: `من ${email}`, t_extra: "" });

test.each([
  ["محمد@مثال.السعودية", "mailto:%D9%85%D8%AD%D9%85%D8%AF@%D9%85%D8%AB%D8%A7%D9%84."],
  ["x@xn--mgbh0fb.xn--mgberp4a5d4ar", "mailto:x@xn--mgbh0fb.xn--mgberp4a5d4ar"],
  ["x@münchen.de", "mailto:x@m%C3%BCnchen.de"],
  ["a%b@example.com", "mailto:a%25b@example.com"],
  ["a/b@example.com", "mailto:a%2Fb@example.com"],
  ["o'neil&co@example.com", "mailto:o&#x27;neil%26co@example.com"],
])("a message from %s arrives, and its reply link has that address", async (email, link) => {
  expect((await send(email)).status).toBe(302);
  const reader = await signedUp(site);
  expect((await reader.get("/admin")).text).toContain(`href="${link}`);
});

test.each(["a\u200Bb@example.com", "a@exam\u2060ple.com", "x@example", "x@y@example.com"])(
  "a message from %j is refused",
  async (email) => {
    const answer = await send(email);
    expect([answer.status, answer.text.includes("البريد الإلكتروني غير صحيح")]).toEqual([400, true]);
  },
);

test("an account can have an international domain, in either notation", async () => {
  const password = "a password";
  await signedUp(site, { email: "x@مثال.السعودية", password });
  for (const email of ["x@مثال.السعودية", "X@xn--mgbh0fb.xn--mgberp4a5d4ar"]) {
    const visitor = new Visitor(site);
    expect((await visitor.post("/auth", { email, password })).status).toBe(302);
    expect((await visitor.get("/admin")).status).toBe(200);
  }
});
