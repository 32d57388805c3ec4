import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Api, openApi } from "#tests/support/api.ts";
import { confirm } from "#tests/support/confirm-mail.ts";
import { type RunningSite, startSite } from "#tests/support/site.ts";
import { newCredentials, Visitor } from "#tests/support/visitor.ts";

let site: RunningSite;
let api: Api;
const known = newCredentials();
beforeAll(async () => {
  site = await startSite({ CONFIRM_EMAIL: "true" });
  api = await openApi(site);
  await new Visitor(site).post("/auth?mode=sign-up", known);
  await confirm(site, known.email);
}, 60_000);
afterAll(() => site?.stop());
// Forgets which address had a mail in this minute.
beforeEach(() => site.restart("SIGTERM"));

type Body = (email: string) => Record<string, string>;
const withPassword: Body = (email) => ({ email, password: "some password" });
const alone: Body = (email) => ({ email });

test.each<[string, Body]>([
  ["/auth", withPassword],
  ["/auth?mode=sign-up", withPassword],
  ["/auth/forgot", alone],
  ["/auth/resend", alone],
  ["/auth/confirm?type=recovery", (email) => ({ email, code: "000000" })],
  ["/auth/confirm?type=signup", (email) => ({ email, code: "000000" })],
])("the form of %s does not tell whether an address has an account", async (path, form) => {
  const answer = async (email: string) => {
    const { status, headers, text } = await new Visitor(site).post(path, form(email));
    return [status, headers.location, plain(text, email)];
  };
  expect(await answer(known.email)).toEqual(await answer(newCredentials().email));
});

test.each<[string, Body]>([
  ["/signup", withPassword],
  ["/token?grant_type=password", withPassword],
  ["/recover", alone],
  ["/otp", alone],
  ["/resend", (email) => ({ email, type: "signup" })],
  ["/resend", (email) => ({ email, type: "email_change" })],
  ["/verify", (email) => ({ email, type: "recovery", token: "000000" })],
  ["/verify", (email) => ({ email, type: "signup", token: "000000" })],
])("/auth/v1%s does not tell whether an address has an account", async (path, body) => {
  const answer = async (email: string) => {
    const { status, text } = await api.send(api.anon, "POST", `/auth/v1${path}`, body(email));
    return [status, plain(text, email)];
  };
  expect(await answer(known.email)).toEqual(await answer(newCredentials().email));
});

/** An answer without what differs between any two. */
function plain(text: string, email: string): string {
  return text
    .replaceAll(email, "EMAIL")
    .replace(/[\da-f]{8}-[\da-f-]{27}/g, "ID")
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)/g, "TIME");
}
