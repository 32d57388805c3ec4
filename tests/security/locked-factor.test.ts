import { afterAll, expect, test } from "vitest";
import { openApi } from "#tests/support/api.ts";
import { startSite } from "#tests/support/site.ts";
import { withSuperuser } from "#tests/support/superuser.ts";
import { signedUp, Visitor } from "#tests/support/visitor.ts";

const site = await startSite();
afterAll(() => site.stop());
const api = await openApi(site);

test("the page of a locked factor says how long to wait, in words and in Retry-After", async () => {
  const { credentials } = await signedUp(site);
  await api.enrol(await api.signIn(credentials));
  // As after many wrong codes.
  await withSuperuser(
    site.dataDir,
    (sql) => sql`
      insert into auth.factor_locks (user_id, wrong_codes, locked_until)
      select user_id, 40, now() + interval '1 day' from auth.mfa_factors`,
  );
  const visitor = new Visitor(site);
  await visitor.post("/auth", credentials);
  const answer = await visitor.post("/auth/code", { code: "123456" });
  expect(answer.status).toBe(429);
  expect(Number(answer.headers["retry-after"])).toSatisfy((s) => s > 86_000 && s <= 86_400);
  expect(answer.text).toContain("أعد المحاولة بعد ٢٤ ساعة");
});

test("wrong recovery codes from one address are limited", async () => {
  const { credentials } = await signedUp(site);
  await api.enrol(await api.signIn(credentials));
  const visitor = new Visitor(site);
  await visitor.post("/auth", credentials);
  const answers = [];
  for (let index = 0; index < 20; index += 1) {
    answers.push(await visitor.post("/auth/code", { recovery: "000000" }));
  }
  const last = answers.at(-1);
  expect([answers[0]?.status, last?.status]).toEqual([422, 429]);
  expect(last?.text).toContain("محاولات كثيرة");
});
