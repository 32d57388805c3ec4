import { afterAll, describe, expect, test } from "vitest";
import { startSmtp } from "#tests/support/smtp.ts";
import { useHostedSite } from "#tests/support/use-hosted-site.ts";
import { Visitor, newCredentials, signedUp } from "#tests/support/visitor.ts";

// The site's forms beside GoTrue 2.196: the proxy gives the answers that were recorded from it.
const smtp = await startSmtp();
afterAll(() => smtp[Symbol.asyncDispose]());
const {
  supabase,
  gateway: gotrue,
  site,
} = useHostedSite({
  SMTP_URL: smtp.url,
  MAIL_FROM: "site@example.com",
});

/** Replaces the answers of one call. */
const answer = (call: string, status: number, body: object) =>
  gotrue.setRequests((path, { method }) =>
    `${method} ${path}`.startsWith(call) ? { status, body } : "pass",
  );

const signUpForm = "/auth?mode=sign-up";

describe("a password that GoTrue calls weak is refused with the reason", () => {
  const cases = [
    [
      "Password should be at least 14 characters.",
      ["length"],
      ["كلمة المرور يجب أن تكون ١٤ حرفًا على الأقل."],
    ],
    [
      "Password should contain at least one character of each: abcdefghijklmnopqrstuvwxyz, 0123456789.",
      ["characters"],
      ["كلمة المرور تحتاج إلى أنواع أخرى من الأحرف"],
    ],
    [
      "Password should be at least 8 characters. Password is known to be weak and easy to guess, please choose a different one.",
      ["length", "pwned"],
      ["كلمة المرور يجب أن تكون ٨ أحرف على الأقل.", "كلمة المرور هذه معروفة من تسريبات سابقة."],
    ],
    ["Of another version", ["other"], ["كلمة المرور ضعيفة. اختر كلمة أطول."]],
  ] as const;
  test.each(cases)("%s", async (message, reasons, texts) => {
    const body = { code: "weak_password", message, weak_password: { reasons } };
    answer("POST /auth/v1/signup", 422, body);
    const refused = await new Visitor(site).post(signUpForm, newCredentials());
    expect(refused.status).toBe(422);
    for (const text of texts) {
      expect(refused.text).toContain(text);
    }
  });

  test("also where it is changed", async () => {
    const visitor = await signedUp(site);
    const [message, reasons, [text]] = cases[0];
    const body = { code: "weak_password", message, weak_password: { reasons } };
    answer("PUT /auth/v1/user", 422, body);
    const { password: current } = visitor.credentials;
    const form = { current, password: "a new password" };
    const refused = await visitor.post("/account/password", form);
    expect([refused.status, refused.text.includes(text)]).toEqual([422, true]);
  });
});

test("a new password has at most 72 bytes, as GoTrue counts, and the form says how many letters", async () => {
  const visitor = new Visitor(site);
  for (const [password, status] of [
    ["م".repeat(37), 400],
    ["a".repeat(73), 400],
    ["م".repeat(36), 302],
  ] as const) {
    const made = await visitor.post(signUpForm, { ...newCredentials(), password });
    expect([password, made.status]).toEqual([password, status]);
    expect(made.text.includes("٧٢ حرفًا لاتينيًا أو ٣٦ حرفًا عربيًا")).toBe(status === 400);
  }
});

const soon = "For security purposes, you can only request this after 42 seconds.";
const isUnderWay = { code: "over_email_send_rate_limit", message: soon };
const isNotSent = { code: "unexpected_failure", message: "Error sending confirmation email" };
const isNotRecovered = { code: "unexpected_failure", message: "Error sending recovery email" };

const isInvalid = { code: "email_address_invalid", message: "Email address is invalid" };
const isUnauthorized = { code: "email_address_not_authorized", message: "… not authorized" };

test.each([
  ["is under way", 429, isUnderWay],
  ["cannot be sent", 500, isNotSent],
  ["is refused for its address", 400, isInvalid],
  ["goes to no address of a stranger", 400, isUnauthorized],
])("a sign-up whose mail %s looks like one of a known address", async (_what, status, body) => {
  answer("POST /auth/v1/signup", status, body);
  const made = await new Visitor(site).post(signUpForm, newCredentials());
  expect([made.status, made.headers.location]).toEqual([302, "/auth?check-mail"]);
});

test.each([
  ["/auth/forgot", "POST /auth/v1/recover"],
  ["/auth/resend", "POST /auth/v1/resend"],
])(
  "%s looks the same for known and unknown addresses while a mail is under way or none can be sent",
  async (path, call) => {
    const visitor = new Visitor(site);
    const { email } = newCredentials();
    const unknown = await visitor.post(path, { email });
    for (const [status, body] of [
      [429, isUnderWay],
      [500, isNotRecovered],
      [400, isInvalid],
      [400, isUnauthorized],
    ] as const) {
      answer(call, status, body);
      const known = await visitor.post(path, { email: newCredentials().email });
      expect([known.status, known.headers.location]).toEqual([302, unknown.headers.location]);
    }
    await expect.poll(() => site.output()).toContain("Supabase could not send a mail");
  },
);

test.each([
  [500, { code: "unexpected_failure", message: "Error sending email change email" }],
  [400, isInvalid],
])("a change of address says that no mail could be sent there: %i", async (status, body) => {
  const visitor = await signedUp(site);
  answer("PUT /auth/v1/user", status, body);
  const { password: current } = visitor.credentials;
  const asked = await visitor.post("/account/email", { email: "no@mail.example", current });
  expect([asked.status, asked.text.includes("لم تُقبل رسالة إلى هذا العنوان")]).toEqual([
    status,
    true,
  ]);
  expect(asked.text).toContain("no@mail.example");
});

test("a failure other than that of a mail is shown", async () => {
  const body = { code: "unexpected_failure", message: "Database error saving new user" };
  answer("POST /auth/v1/signup", 500, body);
  const made = await new Visitor(site).post(signUpForm, newCredentials());
  expect([made.status, made.text.includes("تعذّر إتمام الطلب")]).toEqual([500, true]);
});

test("a change of address that a new password made void is not shown as pending", async () => {
  const visitor = await signedUp(site);
  const headers = { Authorization: `Bearer ${visitor.session().access_token}` };
  const user: object = await (await fetch(`${supabase.url}/auth/v1/user`, { headers })).json();
  const pending = { ...user, new_email: "new@example.com" };
  answer("GET /auth/v1/user", 200, { ...pending, email_change_sent_at: new Date() });
  expect((await visitor.get("/account")).text).toContain("new@example.com");
  // As GoTrue 2.196 after a new password.
  answer("GET /auth/v1/user", 200, pending);
  const account = await visitor.get("/account");
  expect([account.status, account.text.includes("new@example.com")]).toEqual([200, false]);
});

test("a session that ended before another sign-in replaces it is no error", async () => {
  const visitor = await signedUp(site);
  const ended = { code: "session_not_found", message: "Session does not exist" };
  answer("POST /auth/v1/logout", 403, ended);
  expect((await visitor.post("/auth", visitor.credentials)).status).toBe(302);
  expect(site.output()).not.toContain("A session that was replaced stayed open");
});

test("beside a hosted Supabase the page says that other sites may lose the account, and the site mails", async () => {
  const visitor = await signedUp(site);
  const { email, password } = visitor.credentials;
  expect((await visitor.get("/account/delete")).text).toContain("حسابك في مواقع أخرى");
  // Nobody sweeps accounts there.
  expect((await visitor.get("/privacy")).text).not.toContain("تسعين يومًا");
  const gone = await visitor.post("/account/delete", { current: password });
  expect([gone.status, gone.headers.location]).toEqual([302, "/"]);
  expect((await visitor.get("/account")).headers.location).toBe("/auth");
  await expect.poll(() => smtp.mails.map(({ to }) => to)).toContain(email);
});
