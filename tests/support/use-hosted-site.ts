import { type AccessClaims, loadKeys, signAccessToken } from "embedded-supabase/testing";
import { decodeJwt } from "jose";
import { afterAll, afterEach, beforeAll } from "vitest";
import { type Outside, startOutside } from "./outside.ts";
import { type RunningSite, startMs, startSite } from "./site.ts";
import { signedUp, type Visitor } from "./visitor.ts";

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
  }, startMs);
  afterEach(() => {
    gateway.setRequests(() => "pass");
    gateway.setSockets("pass");
  });
  afterAll(async () => {
    await site.stop?.();
    await close?.();
  });

  /** A new account in a session whose access token is valid for so many seconds, or expired before. */
  async function signedInFor(seconds: number): Promise<Visitor> {
    const visitor = await signedUp(site);
    const { access_token: token, ...session } = visitor.session();
    const exp = Math.floor(Date.now() / 1000) + seconds;
    const claims = { ...decodeJwt<AccessClaims>(token), exp };
    const signed = await signAccessToken(await loadKeys(supabase.dataDir), claims);
    visitor.setSession({ ...session, access_token: signed, expires_at: exp });
    return visitor;
  }
  return { supabase, gateway, env, site, signedInFor };
}
