import { beforeAll, expect, test } from "vitest";
import { confirm } from "#tests/support/confirm-mail.ts";
import { withSuperuser } from "#tests/support/superuser.ts";
import { useSite } from "#tests/support/use-site.ts";
import { Visitor, newCredentials } from "#tests/support/visitor.ts";

const site = useSite({ CONFIRM_EMAIL: "true" });
beforeAll(async () => {
  for (const { known } of forms) {
    const account = { email: known, password: "a password that nobody sends" };
    await new Visitor(site).post("/auth?mode=sign-up", account);
    await confirm(site, known);
  }
  // An address gets one mail per minute.
  await withSuperuser(site.dataDir, (sql) => sql`truncate private.attempts`);
});

type Body = (email: string) => Record<string, string>;
const withPassword: Body = (email) => ({ email, password: "some password" });
const alone: Body = (email) => ({ email });

/** Each has an account of its own: an address gets one mail per minute. */
const cases = (list: [path: string, body: Body][]) =>
  list.map(([path, body]) => ({ path, body, known: newCredentials().email }));

const forms = cases([
  ["/auth", withPassword],
  ["/auth?mode=sign-up", withPassword],
  ["/auth/forgot", alone],
  ["/auth/resend", alone],
  ["/auth/confirm?type=recovery", (email) => ({ email, code: "000000" })],
  ["/auth/confirm?type=signup", (email) => ({ email, code: "000000" })],
]);

test.each(forms)(
  "the form of $path does not reveal whether an address has an account",
  async ({ path, body, known }) => {
    const answer = async (email: string) => {
      const { status, headers, text } = await new Visitor(site).post(path, body(email));
      return [status, headers.location, plain(text, email)];
    };
    expect(await answer(known)).toEqual(await answer(newCredentials().email));
  },
);

/** A response without the parts that differ between any two. */
function plain(text: string, email: string): string {
  return text
    .replaceAll(email, "EMAIL")
    .replaceAll(/nonce=\\?"[\w-]+/g, "NONCE")
    .replace(/[\da-f]{8}-[\da-f-]{27}/g, "ID")
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)/g, "TIME");
}
