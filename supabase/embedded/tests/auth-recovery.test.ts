import { afterAll, describe, expect, test } from "vitest";
import { newClient, newEmail, password, signUp } from "./support/accounts.ts";
import { mailNumber, mailsTo } from "./support/mails.ts";
import { startNotes } from "./support/notes-site.ts";
import { withSuperuser } from "./support/superuser.ts";

const site = await startNotes();
afterAll(() => site.close());

const wrongOf = (code: string) => String((Number(code) + 1) % 100_000_000).padStart(8, "0");
const expired = { status: 403, code: "otp_expired" };

describe("recovery", () => {
  test("by the code needs the right letter case", async () => {
    const { email } = await signUp(site);
    const other = await signUp(site);
    const { auth } = newClient(site);
    await auth.resetPasswordForEmail(email.toUpperCase());
    const { code } = await mailNumber(site, email, 1);
    expect(
      (await auth.verifyOtp({ email: other.email, token: code, type: "recovery" })).error,
    ).toMatchObject(expired);
    expect((await auth.verifyOtp({ email, token: code, type: "signup" })).error).toMatchObject(
      expired,
    );
    expect(
      (await auth.verifyOtp({ email: email.toUpperCase(), token: code, type: "recovery" })).error,
    ).toBeNull();
    expect((await auth.verifyOtp({ email, token: code, type: "recovery" })).error).toMatchObject(
      expired,
    );
  });

  test("expires after an hour, and a newer mail replaces an older one", async () => {
    const { email } = await signUp(site);
    const { auth } = newClient(site);
    await auth.resetPasswordForEmail(email);
    const first = await mailNumber(site, email, 1);
    await auth.resetPasswordForEmail(email);
    const second = await mailNumber(site, email, 2);
    expect(
      (await auth.verifyOtp({ token_hash: first.tokenHash, type: "recovery" })).error,
    ).toMatchObject(expired);
    site.pass(3601);
    expect(
      (await auth.verifyOtp({ token_hash: second.tokenHash, type: "recovery" })).error,
    ).toMatchObject(expired);
    expect(
      (await auth.verifyOtp({ email, token: second.code, type: "recovery" })).error,
    ).toMatchObject(expired);
  });

  test("locks the code after ten wrong tries, but not the link", async () => {
    const { email } = await signUp(site);
    const { auth } = newClient(site);
    await auth.resetPasswordForEmail(email);
    const { code, tokenHash } = await mailNumber(site, email, 1);
    expect(code).toMatch(/^\d{8}$/);
    const wrong = wrongOf(code);
    const tries = await Promise.all(
      Array.from({ length: 10 }, () => auth.verifyOtp({ email, token: wrong, type: "recovery" })),
    );
    for (const { error } of tries) {
      expect(error).toMatchObject(expired);
    }
    expect((await auth.verifyOtp({ email, token: code, type: "recovery" })).error).toMatchObject(
      expired,
    );
    expect((await auth.verifyOtp({ token_hash: tokenHash, type: "recovery" })).error).toBeNull();
  });

  test("by the code counts ten wrong tries in an hour, however many mails are sent", async () => {
    const { email } = await signUp(site);
    const { auth } = newClient(site);
    const mail = async (number: number) => {
      await auth.resetPasswordForEmail(email);
      return (await mailNumber(site, email, number)).code;
    };
    const verify = (token: string) => auth.verifyOtp({ email, token, type: "recovery" });
    const first = await mail(1);
    for (let count = 0; count < 10; count += 1) {
      await verify(wrongOf(first));
    }
    site.pass(3500);
    expect((await verify(await mail(2))).error).toMatchObject(expired);
    site.pass(101);
    expect((await verify(await mail(3))).error).toBeNull();
  });

  test("is void once the password has changed", async () => {
    const { email, client } = await signUp(site);
    await newClient(site).auth.resetPasswordForEmail(email);
    const { tokenHash } = await mailNumber(site, email, 1);
    const changes = { password: "changed before", current_password: password };
    expect((await client.auth.updateUser(changes)).error).toBeNull();
    const { error } = await newClient(site).auth.verifyOtp({
      token_hash: tokenHash,
      type: "recovery",
    });
    expect(error).toMatchObject(expired);
  });

  test("is void once the address has changed", async () => {
    const { email, user } = await signUp(site);
    const { auth } = newClient(site);
    await auth.resetPasswordForEmail(email);
    const { code, tokenHash } = await mailNumber(site, email, 1);
    // As an administrator does it.
    await withSuperuser(
      site.dataDir,
      (sql) => sql`update auth.users set email = ${newEmail()} where id = ${user.id}`,
    );
    const type = "recovery";
    for (const { error } of [
      await auth.verifyOtp({ email, token: code, type }),
      await auth.verifyOtp({ token_hash: tokenHash, type }),
    ]) {
      expect(error).toMatchObject(expired);
    }
  });
});

describe("a sign-in mail", () => {
  test("creates no account", async () => {
    const email = newEmail();
    const { auth } = newClient(site);
    await auth.signInWithOtp({ email, options: { shouldCreateUser: false } });
    const { error } = await auth.signInWithPassword({ email, password });
    expect(error).toMatchObject({ code: "invalid_credentials" });
    expect(mailsTo(site, email)).toEqual([]);
  });
});
