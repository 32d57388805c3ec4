import { afterAll, beforeAll } from "vitest";
import { type ClaimedSite, claimedSite } from "./claimed-site.ts";
import { type RunningSite, startSite } from "./site.ts";

/** Starts a site for the file, like startSite. It can be used in hooks and tests. */
export function useSite(...start: Parameters<typeof startSite>): RunningSite {
  const site = {} as RunningSite;
  beforeAll(async () => {
    Object.assign(site, await startSite(...start));
  });
  afterAll(() => site.stop?.());
  return site;
}

/** Starts a site with an owner for the file. */
export function useClaimedSite(...start: Parameters<typeof startSite>): ClaimedSite {
  const { claim, ...claimed } = claimedSite(useSite(...start));
  beforeAll(claim);
  return claimed;
}
