import { noRateLimits, startTestServer, type TestServer } from "./embedded-server.ts";
import { withSuperuser } from "./superuser.ts";

export interface Outside {
  supabase: TestServer;
  /** Settings of a site that uses it. */
  env: { SUPABASE_URL: string; SUPABASE_PUBLISHABLE_KEY: string; SITE_SECRET: string };
}

/**
 * Starts a Supabase that a site takes for a hosted one.
 * @param isTrusted whether it knows the site's secret, so that visitors' addresses count
 */
export async function startOutside({ isTrusted = true } = {}): Promise<Outside> {
  // All visitors are one client to it, as to a hosted one without a secret key.
  const supabase = await startTestServer({ auth: { rateLimits: noRateLimits } });
  const secret = "a secret that the processes of the site share";
  if (isTrusted) {
    await withSuperuser(
      supabase.dataDir,
      (sql) => sql`insert into private.trusted_site values (sha256(${secret}))`,
    );
  }
  const { url, publishableKey } = supabase;
  const env = {
    SUPABASE_URL: url,
    SUPABASE_PUBLISHABLE_KEY: publishableKey,
    SITE_SECRET: secret,
  };
  return { supabase, env };
}
