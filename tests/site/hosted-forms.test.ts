import { afterAll, expect, test } from "vitest";
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

const forms = {
  signUp: { path: "/auth?mode=sign-up", call: "POST /auth/v1/signup" },
  forgot: { path: "/auth/forgot", call: "POST /auth/v1/recover" },
  resend: { path: "/auth/resend", call: "POST /auth/v1/resend" },
  password: { path: "/account/password", call: "PUT /auth/v1/user" },
  email: { path: "/account/email", call: "PUT /auth/v1/user" },
};

/** Sends a form of a new account, or in it, while one call has another answer. */
async function submit(form: keyof typeof forms, status: number, body: object) {
  const { path, call } = forms[form];
  const credentials = newCredentials();
  const isInside = path.startsWith("/account");
  const visitor = isInside ? await signedUp(site, credentials) : new Visitor(site);
  answer(call, status, body);
  const fields = isInside
    ? { current: credentials.password, password: "a new password", email: "no@mail.example" }
    : credentials;
  return visitor.post(path, fields);
}

const weak = (message: string, ...reasons: string[]) => ({
  code: "weak_password",
  message,
  weak_password: { reasons },
});
const short = weak("Password should be at least 14 characters.", "length");
const failure = (message: string) => ({ code: "unexpected_failure", message });
const isInvalid = { code: "email_address_invalid", message: "Email address is invalid" };

test.each<[keyof typeof forms, number, object, string[]]>([
  ["signUp", 422, short, ["كلمة المرور يجب أن تكون ١٤ حرفًا على الأقل."]],
  ["password", 422, short, ["كلمة المرور يجب أن تكون ١٤ حرفًا على الأقل."]],
  [
    "signUp",
    422,
    weak("Password should contain at least one character of each: abc, 0123456789.", "characters"),
    ["كلمة المرور تحتاج إلى أنواع أخرى من الأحرف"],
  ],
  [
    "signUp",
    422,
    weak("Password should be at least 8 characters. Password is known …", "length", "pwned"),
    ["كلمة المرور يجب أن تكون ٨ أحرف على الأقل.", "كلمة المرور هذه معروفة من تسريبات سابقة."],
  ],
  ["signUp", 422, weak("Of another version", "other"), ["كلمة المرور ضعيفة. اختر كلمة أطول."]],
  ["signUp", 500, failure("Database error saving new user"), ["تعذّر إتمام الطلب"]],
  [
    "email",
    500,
    failure("Error sending email change email"),
    ["لم تُقبل رسالة إلى هذا العنوان", "no@mail.example"],
  ],
  ["email", 400, isInvalid, ["لم تُقبل رسالة إلى هذا العنوان", "no@mail.example"]],
])("%s: a refusal with %i shows its reason", async (form, status, body, texts) => {
  const refused = await submit(form, status, body);
  expect(refused.status).toBe(status);
  expect(texts.filter((text) => !refused.text.includes(text))).toEqual([]);
});

test("a new password has at most 72 bytes, as GoTrue counts, and the form says how many letters", async () => {
  const visitor = new Visitor(site);
  for (const [password, status] of [
    ["م".repeat(37), 400],
    ["a".repeat(73), 400],
    ["م".repeat(36), 302],
  ] as const) {
    const made = await visitor.post(forms.signUp.path, { ...newCredentials(), password });
    expect([password, made.status]).toEqual([password, status]);
    expect(made.text.includes("٧٢ حرفًا لاتينيًا أو ٣٦ حرفًا عربيًا")).toBe(status === 400);
  }
});

const soon = "For security purposes, you can only request this after 42 seconds.";

test.each([
  ["is under way", 429, { code: "over_email_send_rate_limit", message: soon }],
  ["cannot be sent", 500, failure("Error sending recovery email")],
  ["is refused for its address", 400, isInvalid],
  [
    "goes to no stranger",
    400,
    { code: "email_address_not_authorized", message: "… not authorized" },
  ],
])("a mail that %s looks like one of a known address", async (_what, status, body) => {
  expect((await submit("signUp", status, body)).headers.location).toBe("/auth?check-mail");
  for (const form of ["forgot", "resend"] as const) {
    gotrue.setRequests(() => "pass");
    const unknown = await new Visitor(site).post(forms[form].path, newCredentials());
    const known = await submit(form, status, body);
    expect([known.status, known.headers.location]).toEqual([302, unknown.headers.location]);
  }
});

test("a mail that GoTrue could not send is in the log", async () => {
  await submit("forgot", 500, failure("Error sending recovery email"));
  await expect.poll(() => site.output()).toContain("Supabase could not send a mail");
});

test("a change of address that a new password made void is not shown as pending", async () => {
  const visitor = await signedUp(site);
  const headers = { Authorization: `Bearer ${visitor.session().access_token}` };
  const user: object = await (await fetch(`${supabase.url}/auth/v1/user`, { headers })).json();
  const pending = { ...user, new_email: "new@example.com" };
  answer("GET /auth/v1/user", 200, { ...pending, email_change_sent_at: new Date() });
  expect((await visitor.get("/account")).text).toContain("new@example.com");
  // GoTrue 2.196 answers like this after a new password.
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
  // Accounts are not deleted by age there.
  expect((await visitor.get("/privacy")).text).not.toContain("تسعين يومًا");
  const gone = await visitor.post("/account/delete", { current: password });
  expect([gone.status, gone.headers.location]).toEqual([302, "/"]);
  expect((await visitor.get("/account")).headers.location).toBe("/auth");
  await expect.poll(() => smtp.mails.map(({ to }) => to)).toContain(email);
});

test("a message that a hosted database refused was surely not sent", async () => {
  // PostgREST's answer after a deadline. Its types say that the details are a text.
  const deadline = { code: "57014", message: "canceling statement", details: null, hint: null };
  answer("POST /rest/v1/rpc/leave_message", 500, deadline);
  const message = { name: "نورة", email: "n@example.com", message: "مرحبًا" };
  const refused = await new Visitor(site).post("/", message);
  expect([refused.status, refused.text.includes("لم تُرسل رسالتك")]).toEqual([503, true]);
});
