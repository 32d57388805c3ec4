import { expect, test, vi } from "vitest";
import { openApi } from "#tests/support/api.ts";
import { startSite } from "#tests/support/site.ts";

// More than two batches, and one count that has not expired.
const counts = `
  insert into private.attempts (name, subject, points, expires_at)
  select 'mail', 'old ' || n, 1, now() - interval '1 hour' from generate_series(1, 2500) n;
  insert into private.attempts values ('mail', 'new', 1, now() + interval '1 hour');
  create function public.count_attempts() returns bigint language sql security definer
  as 'select count(*) from private.attempts';`;

test("expired counts of attempts are deleted soon after the start, all of them", async () => {
  const site = await startSite({}, counts);
  try {
    const api = await openApi(site);
    const left = async () =>
      (await api.send(api.service, "POST", "/rest/v1/rpc/count_attempts", {})).json;
    expect(await left()).toBe(2501);
    await vi.waitFor(async () => expect(await left()).toBe(1), { timeout: 30_000, interval: 500 });
  } finally {
    await site.stop();
  }
});
