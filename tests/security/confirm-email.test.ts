import { beforeEach, describe, expect, test } from "vitest";
import { openApi } from "#tests/support/api.ts";
import { withSuperuser } from "#tests/support/superuser.ts";
import { useOwnSite } from "#tests/support/use-site.ts";
import { Visitor, newCredentials } from "#tests/support/visitor.ts";
import { confirm } from "./confirm-mail.ts";

const owner = { email: "owner@example.com", password: "the owner's own" };
// This setting turns CONFIRM_EMAIL on.
const site = useOwnSite({ SITE_OWNER_EMAIL: owner.email });

test("SITE_OWNER_EMAIL makes the account that confirms the address the owner, also with a new password, and nobody before", async () => {
  const api = await openApi(site);
  const reads = async (credentials: typeof owner) => {
    const token = await api.signIn(credentials).catch(() => undefined);
    return token !== undefined && (await api.namesFor(api.as(token))).length > 0;
  };
  await api.store({ name: "زائرة", email: "a@example.com", message: "لا يقرؤها إلا صاحب الموقع" });
  const other = newCredentials();
  for (const credentials of [owner, other]) {
    await new Visitor(site).post("/auth?mode=sign-up", credentials);
  }
  await confirm(site, other.email);
  expect([await reads(owner), await reads(other)]).toEqual([false, false]);
  const visitor = await confirm(site, owner.email);
  expect([await reads(owner), await reads(other)]).toEqual([true, false]);
  const password = "the owner's next one";
  const token = api.as(visitor.session().access_token);
  expect((await api.send(token, "PUT", "/auth/v1/user", { password })).status).toBe(200);
  expect(await reads({ ...owner, password })).toBe(true);
  const made = await api.call(api.service, "new_claim_code");
  expect(made.json).toBe(null);
  expect((await api.tryClaim(await api.signIn(other), "")).json).toBe(false);
});

type Body = (email: string) => Record<string, string>;
const withPassword: Body = (email) => ({ email, password: "some password" });
const alone: Body = (email) => ({ email });
const withCode: Body = (email) => ({ email, code: "000000" });

describe("whether an address has an account is not shown", () => {
  // An address gets one mail per minute.
  beforeEach(() => withSuperuser(site.dataDir, (sql) => sql`truncate private.attempts`));

  test.each<[path: string, body: Body]>([
    ["/auth", withPassword],
    ["/auth?mode=sign-up", withPassword],
    ["/auth/forgot", alone],
    ["/auth/resend", alone],
    ["/auth/confirm?type=recovery", withCode],
    ["/auth/confirm?type=signup", withCode],
  ])("by the form of %s", async (path, body) => {
    const answer = async (email: string) => {
      const { status, headers, text } = await new Visitor(site).post(path, body(email));
      return [status, headers.location, plain(text, email)];
    };
    expect(await answer(owner.email)).toEqual(await answer(newCredentials().email));
  });
});

/** A response without the parts that differ between any two. */
function plain(text: string, email: string): string {
  return text
    .replaceAll(email, "EMAIL")
    .replaceAll(/nonce=\\?"[\w-]+/g, "NONCE")
    .replace(/[\da-f]{8}-[\da-f-]{27}/g, "ID")
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)/g, "TIME");
}
