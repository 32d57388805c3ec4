import { afterAll, afterEach, beforeAll } from "vitest";
import type { TestServer } from "./embedded-server.ts";
import { type Outside, startOutside } from "./outside.ts";
import { startProxy } from "./proxy.ts";
import { type RunningSite, startSite } from "./site.ts";

/**
 * Starts a site beside a hosted Supabase for the file, with a gateway between them, whose faults end
 * after each test.
 */
export function useHostedSite(
  more: Record<string, string> = {},
  options?: Parameters<typeof startOutside>[0],
) {
  const supabase = {} as TestServer;
  const gateway = {} as Awaited<ReturnType<typeof startProxy>>;
  const env = {} as Outside["env"];
  const site = {} as RunningSite;
  beforeAll(async () => {
    const outside = await startOutside(options);
    Object.assign(supabase, outside.supabase);
    Object.assign(gateway, await startProxy(supabase));
    Object.assign(env, { ...outside.env, SUPABASE_URL: gateway.url });
    Object.assign(site, await startSite({ ...env, ...more }));
  });
  afterEach(() => {
    gateway.setRequests(() => "pass");
    gateway.setSockets("pass");
  });
  afterAll(async () => {
    await site.stop?.();
    await gateway.stop?.();
    await supabase.close?.();
  });
  return { supabase, gateway, env, site };
}
