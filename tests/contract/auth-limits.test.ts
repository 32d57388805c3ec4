import { mailsTo, type Sql } from "embedded-supabase/testing";
import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { accountLimits } from "#app/server/account-limits.ts";
import {
  type AuthServer,
  mailNumber,
  newClient,
  newEmail,
  password,
  proved,
  send,
  signUp,
  startAuthServer,
} from "#tests/support/auth-server.ts";
import { silentLog } from "#tests/support/log.ts";
import { withSuperuser } from "#tests/support/superuser.ts";

const shared = await startLimited();
afterAll(() => shared.close());

function startLimited(auth: { confirmEmail?: boolean } = {}, log = silentLog) {
  return startAuthServer(auth, { limits: accountLimits, log });
}

/** Starts a backend for one test. */
async function start(...settings: Parameters<typeof startLimited>) {
  const started = await startLimited(...settings);
  onTestFinished(() => started.close());
  return started;
}

/** Changes limits of mails: how many in their period, and the longest wait beyond. */
const allow = (site: AuthServer, points: number, names: string[], wait = "2 seconds") =>
  withSuperuser(
    site.dataDir,
    (sql) => sql`
      update private.limits set points = ${points},
        longest_wait = case when longest_wait is not null then ${wait}::interval end
      where name = any (${names})`,
  );

const wrongOf = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, "0");

/** The status of a form's call. */
const post = async (site: AuthServer, path: string, body: object) =>
  (await send(site, "POST", path, { body })).status;

test("after fifty wrong codes in a day only the links of an account's mails work", async () => {
  const site = await start();
  await allow(site, 100, ["mail-again", "mailbox-hour"]);
  const { email } = await signUp(site);
  const tryCode = (token: string) => post(site, "/verify", { email, token, type: "recovery" });
  for (let mail = 1; mail <= 5; mail += 1) {
    await post(site, "/recover", { email });
    const { code } = await mailNumber(site, email, mail);
    for (let wrong = 0; wrong < 10; wrong += 1) {
      expect(await tryCode(wrongOf(code))).toBe(403);
    }
  }
  await post(site, "/recover", { email });
  const { code, tokenHash } = await mailNumber(site, email, 6);
  await withSuperuser(site.dataDir, (sql) =>
    sql.script("update private.attempts set expires_at = expires_at - interval '23 hours'"),
  );
  expect(await tryCode(code)).toBe(403);
  const body = { token_hash: tokenHash, type: "recovery" };
  expect(await post(site, "/verify", body)).toBe(200);
});

describe("mails", () => {
  test("are sent once a minute to a mailbox and of a kind, known or not", async () => {
    const { email } = await signUp(shared);
    const { auth } = newClient(shared);
    for (const address of [email, newEmail()]) {
      expect((await auth.resetPasswordForEmail(address)).error).toBeNull();
      const again = await auth.resetPasswordForEmail(address);
      expect(again.error).toMatchObject({
        status: 429,
        code: "over_email_send_rate_limit",
        message: expect.stringMatching(/only request this after \d+ seconds/) as string,
      });
      expect((await auth.resend({ type: "signup", email: address })).error).toBeNull();
    }
  });

  test.for([
    ["six in an hour", 6, []],
    ["twenty in a day", 20, ["mailbox-hour"]],
  ] as const)("of all kinds beyond %s are sent at intervals", async ([, most, more]) => {
    const site = await start();
    await allow(site, 100, ["mail-again", ...more]);
    await allow(site, most, [more.length > 0 ? "mailbox-day" : "mailbox-hour"]);
    const email = newEmail();
    const ask = (path: string) => post(site, path, { email, type: "signup" });
    for (let mail = 0; mail < most; mail += 1) {
      expect(await ask(mail % 2 === 0 ? "/recover" : "/resend")).toBe(200);
    }
    expect([await ask("/recover"), await ask("/recover")]).toEqual([200, 429]);
    await expect.poll(() => ask("/otp"), { timeout: 5_000, interval: 500 }).toBe(200);
    expect(await ask("/recover")).toBe(429);
  });

  test("to names of one mailbox count for the mailbox, also by sign-ups", async () => {
    const site = await start({ confirmEmail: true });
    for (const path of ["/recover", "/signup"]) {
      const [name = ""] = newEmail().split("@");
      const dotted = [...name]
        .slice(1)
        .map((_, at) => `${name.slice(0, at + 1)}.${name.slice(at + 1)}`);
      const spellings = [
        Array.from({ length: 8 }, (_, tag) => `${name}+${tag}@example.com`),
        [`${name}@gmail.com`, `${name}@googlemail.com`, ...dotted.map((of) => `${of}@gmail.com`)],
      ];
      for (const addresses of spellings) {
        const statuses = [];
        for (const email of addresses.slice(0, 8)) {
          statuses.push(await post(site, path, { email, password }));
        }
        expect([path, statuses]).toEqual([path, [200, 200, 200, 200, 200, 200, 200, 429]]);
      }
    }
  });

  test("that many accounts request for a stranger's mailbox are limited by the mailbox", async () => {
    const email = newEmail();
    const answers = [];
    for (let number = 0; number < 5; number += 1) {
      const { client } = await signUp(shared);
      answers.push((await (await proved(client)).auth.updateUser({ email })).error?.code);
    }
    const refused = "over_email_send_rate_limit";
    expect(answers).toEqual([undefined, refused, refused, refused, refused]);
    await mailNumber(shared, email, 1);
    expect(mailsTo(shared, email)).toHaveLength(1);
  });

  test("of strangers cannot stop those to verified addresses, and nothing stops the owner's", async () => {
    const told: unknown[] = [];
    const site = await start({}, { ...silentLog, often: (...event) => void told.push(event) });
    await allow(site, 2, ["mails", "account-mails"], "1 hour");
    const recover = (email: string) => post(site, "/recover", { email });
    const inSql = <T>(run: (sql: Sql) => Promise<T>) => withSuperuser(site.dataDir, run);
    /** Asks for a mail, and says whether it was sent. Otherwise the request was taken back. */
    const sent = async (email: string) => {
      // A slow machine must not wait long enough for the next one.
      const later = "next_at = now() + interval '1 hour' where next_at is not null";
      await inSql((sql) => sql.script(`update private.attempts set ${later}`));
      const before = mailsTo(site, email).length;
      expect(await recover(email)).toBe(200);
      return vi.waitFor(async () => {
        const isSent = mailsTo(site, email).length > before;
        const asked = await inSql(
          (sql) => sql`
            select from private.attempts
            where points > 0 and (subject = ${email} or subject like ${`% ${email}`})`,
        );
        expect(isSent || asked.length === 0).toBe(true);
        return isSent;
      });
    };

    // Nobody has these addresses: no mail is sent, and none is counted.
    for (let number = 0; number < 20; number += 1) {
      expect(await recover(newEmail())).toBe(200);
    }
    const strangers = [];
    for (let number = 0; number < 7; number += 1) {
      strangers.push((await signUp(site)).email);
    }
    const sentTo = async (emails: string[]) => {
      const all = [];
      for (const email of emails) {
        all.push(await sent(email));
      }
      return all;
    };
    // One beyond the limit is sent, and the next after an interval.
    expect(await sentTo(strangers)).toEqual([true, true, true, false, false, false, false]);
    expect(told).toContainEqual(["error", "A limit was reached", expect.anything()]);

    await inSql(
      (sql) => sql`
        update auth.identities set identity_data = identity_data || '{"email_verified": true}'`,
    );
    // The refused requests were taken back: there is no minute to wait.
    expect(await sentTo(strangers.slice(3))).toEqual([true, true, true, false]);

    const { email: owner, user: own } = await signUp(site);
    expect(await sent(owner)).toBe(false);
    await inSql((sql) => sql`insert into private.site_owner (user_id) values (${own.id})`);
    expect(await sent(owner)).toBe(true);

    const { email: reserved } = await signUp(site);
    expect(await sent(reserved)).toBe(false);
    await inSql((sql) => sql`insert into private.reserved_owner (email) values (${reserved})`);
    expect(await sent(reserved)).toBe(true);
  });
});
