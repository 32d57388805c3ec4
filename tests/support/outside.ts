import { noRateLimits, startTestServer } from "./embedded-server.ts";
import { withSuperuser } from "./superuser.ts";

export type Outside = Awaited<ReturnType<typeof startOutside>>;

/**
 * Starts a Supabase that a site takes for a hosted one.
 * @param isTrusted whether it knows the site's secret, so that visitors' addresses count
 */
export async function startOutside({ isTrusted = true } = {}) {
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
  // The settings of a site that uses it.
  const env = {
    SUPABASE_URL: url,
    SUPABASE_PUBLISHABLE_KEY: publishableKey,
    SITE_SECRET: secret,
  };
  return { supabase, env };
}
