import { test as base } from "playwright/test";
import { type ClaimedSite, startClaimedSite } from "#tests/support/claimed-site.ts";
import { type RunningSite, startMs } from "#tests/support/site.ts";

/**
 * SQL of the faults of all tests: reads and messages fail for e-mail addresses that begin with
 * "broken" or stand in private.broken.
 */
const faults = `
  create table private.broken (address text);
  create function private.fail_for_broken(sender text) returns boolean
  language plpgsql security definer set search_path = '' as $$
  begin
    if sender like 'broken%' or exists (select from private.broken where address = sender) then
      raise exception 'a fault made for a test';
    end if;
    return true;
  end $$;
  grant execute on function private.fail_for_broken to anon, authenticated, service_role;
  create policy "a fault made for a test" on public.contact_messages
    as restrictive for select using (private.fail_for_broken(auth.email()));
  alter table public.contact_messages
    add constraint another_fault_made_for_a_test check (private.fail_for_broken(email));
`;

interface Sites {
  /** A site whose inbox has an owner. */
  owned: ClaimedSite;
  site: RunningSite;
}

/** The owner's session for a browser. The notice of a form that a test posted for the owner stays behind. */
export const cookiesOf = ({
  site,
  owner,
}: Pick<ClaimedSite, "site"> & { owner: Pick<ClaimedSite["owner"], "cookies"> }) =>
  Array.from(owner.cookies)
    .filter(([name]) => name.includes("session"))
    .map(([name, value]) => ({ name, value, url: site.url }));

/**
 * A Playwright test on a running site, started once per worker. The tests of a worker run one after
 * the other: each may replace all messages.
 */
export const test = base.extend<object, Sites>({
  owned: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const owned = await startClaimedSite({}, faults);
      await use(owned);
      await owned.site.stop();
    },
    // A start is not a part of the first test.
    { scope: "worker", timeout: startMs },
  ],
  site: [({ owned }, use) => use(owned.site), { scope: "worker" }],
});
