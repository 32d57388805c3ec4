import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningSite, startSite } from "#tests/support/site.ts";
import { signedUp } from "#tests/support/visitor.ts";

const secret = "words of the database";
const faults = `
  create or replace function public.my_sessions()
  returns table (
    id uuid, created_at timestamptz, last_used_at timestamptz, user_agent text, is_current boolean,
    total bigint
  ) language plpgsql as $$ begin raise exception '${secret}'; end $$;
`;

let site: RunningSite;
let visitor: Awaited<ReturnType<typeof signedUp>>;
beforeAll(async () => {
  site = await startSite({}, faults);
  visitor = await signedUp(site);
});
afterAll(() => site?.stop());

test("a failed page shows the text of the site's own error", async () => {
  const page = await visitor.get("/account");
  expect(page.status).toBe(503);
  expect(page.text).toContain("Unexpected Application Error!");
  expect(page.text).toContain("The sessions were not read");
  expect(page.text).not.toContain(secret);
  expect(page.text).not.toMatch(/\.[jt]sx?:\d|node_modules/);
  const data = await visitor.get("/account.data");
  expect(data.text).toContain("The sessions were not read");
  expect(data.text).not.toContain(secret);
  expect(site.output()).toContain("The sessions were not read");
  expect(site.output()).not.toContain(secret);
});
