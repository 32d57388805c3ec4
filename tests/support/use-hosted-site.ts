import { afterAll, afterEach, beforeAll } from "vitest";
import { type Outside, startOutside } from "./outside.ts";
import { type RunningSite, startSite } from "./site.ts";

/**
 * Starts a site beside a hosted Supabase for the file. The faults of the gateway between them end
 * after each test.
 */
export function useHostedSite(more: Record<string, string> = {}) {
  const supabase = {} as Outside["supabase"];
  const gateway = {} as Outside["gateway"];
  const env = {} as Outside["env"];
  let close: Outside["close"] | undefined;
  const site = {} as RunningSite;
  beforeAll(async () => {
    const outside = await startOutside();
    ({ close } = outside);
    Object.assign(supabase, outside.supabase);
    Object.assign(gateway, outside.gateway);
    Object.assign(env, outside.env);
    Object.assign(site, await startSite({ ...env, ...more }));
  });
  afterEach(() => {
    gateway.setRequests(() => "pass");
    gateway.setSockets("pass");
  });
  afterAll(async () => {
    await site.stop?.();
    await close?.();
  });
  return { supabase, gateway, env, site };
}
