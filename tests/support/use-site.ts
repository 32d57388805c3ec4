// oxlint-disable no-empty-pattern
import { unlistedCall } from "embedded-supabase/testing";
import { afterAll, beforeAll, expect, test as base } from "vitest";
import { type Api, openApi } from "./api.ts";
import { type ClaimedSite, claimedSite } from "./claimed-site.ts";
import { type RunningSite, startMs, startSite } from "./site.ts";
import { withSuperuser } from "./superuser.ts";

const test = base.extend("shared", { scope: "worker" }, async ({}, { onCleanup }) => {
  const site = await startSite();
  onCleanup(() => site.stop());
  return site;
});

/**
 * Gives the file the site of its worker, whose files run one after the other. It is as empty as a new
 * one then, and has printed nothing. Only the counts of an earlier file may still come, because the log
 * writes them after a minute. What a test breaks in it, the test mends.
 */
export function useSite(): RunningSite {
  const site = {} as RunningSite;
  test.beforeAll(async ({ shared }) => {
    await empty(shared);
    shared.forgetOutput();
    Object.assign(site, shared);
  }, startMs);
  afterAll(() => expect(site.linesWith?.(unlistedCall)).toEqual([]));
  return site;
}

/** Starts a site for the file alone, like startSite. */
export function useOwnSite(...start: Parameters<typeof startSite>): RunningSite {
  const site = {} as RunningSite;
  beforeAll(async () => {
    Object.assign(site, await startSite(...start));
  }, startMs);
  afterAll(() => site.stop?.());
  return site;
}

/** Gives the file the site of its worker, with an owner. */
export const useClaimedSite = () => useOwner(useSite());

/** Gives a site an owner. */
export function useOwner(site: RunningSite): ClaimedSite {
  const { claim, ...claimed } = claimedSite(site);
  beforeAll(claim);
  return claimed;
}

/** Opens the API of a site. */
export function useApi(site: RunningSite): Api {
  const api = {} as Api;
  beforeAll(async () => {
    Object.assign(api, await openApi(site));
  });
  return api;
}

/** Deletes what earlier files left: accounts with all that is theirs, messages, counts and attempts. */
const empty = ({ dataDir }: RunningSite) =>
  withSuperuser(dataDir, (sql) =>
    sql.script(`
      delete from auth.users;
      delete from public.contact_messages;
      delete from private.site_owner;
      delete from private.attempts;
      delete from private.counts;
      delete from private.absences;
      delete from private.notification_channels;
      insert into private.notification_channels (channel) values ('mail'), ('webhook')`),
  );
