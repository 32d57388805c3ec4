import { afterAll, expect, test } from "vitest";
import { startSmtp } from "#tests/support/smtp.ts";
import { useHostedSite } from "#tests/support/use-hosted-site.ts";
import { signedUp } from "#tests/support/visitor.ts";

const smtp = await startSmtp();
afterAll(() => smtp[Symbol.asyncDispose]());
const { site } = useHostedSite({ SMTP_URL: smtp.url, MAIL_FROM: "site@example.com" });

test("beside a hosted Supabase the page says that other sites may lose the account, and the site mails", async () => {
  const visitor = await signedUp(site);
  const { email, password } = visitor.credentials;
  expect((await visitor.get("/account/delete")).text).toContain("حسابك في مواقع أخرى");
  // Nobody sweeps accounts there.
  expect((await visitor.get("/privacy")).text).not.toContain("تسعين يومًا");
  const answer = await visitor.post("/account/delete", { current: password });
  expect([answer.status, answer.headers.location]).toEqual([302, "/"]);
  expect((await visitor.get("/account")).headers.location).toBe("/auth");
  await expect.poll(() => smtp.mails.map(({ to }) => to)).toContain(email);
});
