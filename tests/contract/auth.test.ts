import { TOTP } from "otpauth";
import { afterAll, expect, test } from "vitest";
import { openListed } from "#tests/support/list-client.ts";

// What GoTrue answers as well: these tests can be pointed at a real Supabase.
const supabase = await openListed();
afterAll(() => supabase.close());

const unknown = () => `${crypto.randomUUID()}@example.com`;

test("a wrong password and an unknown address are refused alike", async () => {
  const { email } = await supabase.account();
  const { auth } = supabase.client();
  for (const address of [email, unknown()]) {
    const { error } = await auth.signInWithPassword({ email: address, password: "wrong one" });
    expect(error).toMatchObject({
      status: 400,
      code: "invalid_credentials",
      message: "Invalid login credentials",
    });
  }
});

test("a short password is refused with its reason, at a sign-up and at a change", async () => {
  const weak = { status: 422, code: "weak_password", reasons: ["length"] };
  const { client, password: current } = await supabase.account();
  const signedUp = await supabase.client().auth.signUp({ email: unknown(), password: "12345" });
  expect(signedUp.error).toMatchObject(weak);
  for (const password of ["12345", ""]) {
    const change = { password, current_password: current };
    expect((await client.auth.updateUser(change)).error).toMatchObject(weak);
  }
});

test("the password can be changed, but not to itself", async () => {
  const { client, email, password: current } = await supabase.account();
  const change = (password: string) =>
    client.auth.updateUser({ password, current_password: current });
  expect((await change(current)).error).toMatchObject({ status: 422, code: "same_password" });
  expect((await change("another password")).error).toBeNull();
  const signedIn = { email, password: "another password" };
  expect((await supabase.client().auth.signInWithPassword(signedIn)).error).toBeNull();
});

test("a session has the account, signed claims and a refresh token", async () => {
  const { client, email } = await supabase.account();
  expect((await client.auth.getUser()).data.user).toMatchObject({
    aud: "authenticated",
    role: "authenticated",
    email,
    phone: "",
    identities: [{ provider: "email", identity_data: { email } }],
    is_anonymous: false,
  });
  const before = (await client.auth.getClaims()).data?.claims;
  expect(before).toMatchObject({ aal: "aal1", amr: [{ method: "password" }], email });
  const { data, error } = await client.auth.refreshSession();
  expect(error).toBeNull();
  expect(data.session).toMatchObject({ token_type: "bearer", user: { email } });
  const after = (await client.auth.getClaims()).data?.claims;
  expect(after).toMatchObject({ session_id: before?.session_id, aal: "aal1" });
  const refused = (refresh_token: string) =>
    supabase.client().auth.refreshSession({ refresh_token });
  expect((await refused("of no token's form")).error).toMatchObject({
    status: 400,
    code: "validation_failed",
    message: "Refresh token is not valid",
  });
  const lost = await refused("abcdefghijkl");
  expect(lost.error).toMatchObject({ status: 400, code: "refresh_token_not_found" });
});

test("a sign-out ends the other sessions or this one", async () => {
  const { client, email, password } = await supabase.account();
  const other = supabase.client();
  await other.auth.signInWithPassword({ email, password });
  expect((await client.auth.signOut({ scope: "others" })).error).toBeNull();
  expect((await other.auth.getUser()).error).toMatchObject({ name: "AuthSessionMissingError" });
  const { data } = await client.auth.getSession();
  const token = data.session?.access_token ?? "";
  expect((await supabase.client().auth.admin.signOut(token, "local")).error).toBeNull();
  expect((await client.auth.getUser()).error).toMatchObject({ name: "AuthSessionMissingError" });
});

test("a factor is enrolled, raises the session to aal2 and is removed", async () => {
  const { client } = await supabase.account();
  const { mfa } = client.auth;
  const { data: factor } = await mfa.enroll({ factorType: "totp", friendlyName: "phone" });
  expect(factor?.totp.qr_code).toMatch(/^data:image\/svg\+xml;utf-8,<[^#]*$/);
  const factorId = factor?.id ?? "";
  const { data: listed } = await mfa.listFactors();
  expect(listed?.all).toMatchObject([{ id: factorId, status: "unverified" }]);
  expect(JSON.stringify(listed)).not.toContain(factor?.totp.secret);
  const again = await mfa.enroll({ factorType: "totp", friendlyName: "phone" });
  expect(again.error).toMatchObject({ status: 422, code: "mfa_factor_name_conflict" });
  const totp = new TOTP({ secret: factor?.totp.secret ?? "" });
  const wrong = totp.generate({ timestamp: 0 });
  expect((await mfa.challengeAndVerify({ factorId, code: wrong })).error).toMatchObject({
    status: 422,
    code: "mfa_verification_failed",
    message: "Invalid TOTP code entered",
  });
  const { error } = await mfa.challengeAndVerify({ factorId, code: totp.generate() });
  expect(error).toBeNull();
  expect((await client.auth.getClaims()).data?.claims.aal).toBe("aal2");
  expect((await mfa.unenroll({ factorId })).data).toEqual({ id: factorId });
  await client.auth.refreshSession();
  expect((await client.auth.getClaims()).data?.claims.aal).toBe("aal1");
  const gone = await mfa.challenge({ factorId });
  expect(gone.error).toMatchObject({ status: 404, code: "mfa_factor_not_found" });
});

test("mails to unknown addresses are accepted, and unknown links and codes refused", async () => {
  const { auth } = supabase.client();
  const email = unknown();
  expect(await auth.resetPasswordForEmail(email)).toEqual({ data: {}, error: null });
  expect((await auth.resend({ type: "signup", email })).error).toBeNull();
  const expired = { status: 403, code: "otp_expired" };
  const link = { token_hash: "0f".repeat(28), type: "recovery" } as const;
  expect((await auth.verifyOtp(link)).error).toMatchObject(expired);
  const code = { email, token: "000000", type: "recovery" } as const;
  expect((await auth.verifyOtp(code)).error).toMatchObject(expired);
});
