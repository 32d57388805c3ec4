import { afterAll, expect, test } from "vitest";
import { startSmtp } from "#tests/support/smtp.ts";
import { withSuperuser } from "#tests/support/superuser.ts";
import { useOwnSite } from "#tests/support/use-site.ts";
import { Visitor, newCredentials } from "#tests/support/visitor.ts";

const smtp = await startSmtp();
afterAll(() => smtp[Symbol.asyncDispose]());
const site = useOwnSite({
  CONFIRM_EMAIL: "true",
  SMTP_URL: smtp.url,
  MAIL_FROM: "site@example.com",
});

/** The requests for mails to an address that count now. */
const countedMails = (email: string) =>
  withSuperuser(
    site.dataDir,
    (sql) => sql`
      select subject from private.attempts
      where name = 'mail-again' and subject like ${`% ${email}`}`,
  );

test.each([
  ["puts off", "451 4.7.1 Try again later"],
  ["cuts off", "cut"],
])("a mail that the server %s is sent at once when it is asked for again", async (_, fault) => {
  const { email, password } = newCredentials();
  const mails = () => smtp.mails.filter(({ to }) => to === email).length;
  smtp.faults = { RCPT: fault };
  const before = site.linesWith("A mail could not be sent").length;
  const signUp = await new Visitor(site).post("/auth?mode=sign-up", { email, password });
  expect(signUp.headers.location).toBe("/auth?check-mail");
  await expect.poll(() => site.linesWith("A mail could not be sent").length).toBe(before + 1);
  await expect.poll(() => countedMails(email)).toEqual([]);
  smtp.faults = {};
  const resend = () => new Visitor(site).post("/auth/resend", { email });
  const again = await resend();
  await expect.poll(mails).toBe(1);
  expect(await countedMails(email)).toHaveLength(1);
  // What was sent counts, and the answer is the same.
  expect((await resend()).headers.location).toBe(again.headers.location);
  const unknown = await new Visitor(site).post("/auth/resend", { email: newCredentials().email });
  expect(unknown.headers.location).toBe(again.headers.location);
  expect(mails()).toBe(1);
});

test("mails beyond those of an hour are not sent, as nobody can see, and the log tells it", async () => {
  const { email } = newCredentials();
  await new Visitor(site).post("/auth?mode=sign-up", { ...newCredentials(), email });
  await expect.poll(() => smtp.mails.filter(({ to }) => to === email)).toHaveLength(1);
  await withSuperuser(
    site.dataDir,
    (sql) => sql`update private.attempts set points = 10 where name = 'account-mails'`,
  );
  const known = await new Visitor(site).post("/auth/forgot", { email });
  const unknown = await new Visitor(site).post("/auth/forgot", newCredentials());
  expect([known.status, known.headers.location]).toEqual([302, unknown.headers.location]);
  await expect.poll(() => site.linesWith('limit="mails of accounts"')).toHaveLength(1);
  expect(smtp.mails.filter(({ to }) => to === email)).toHaveLength(1);
});
