import { noLimits } from "embedded-supabase/testing";
import { startTestServer } from "./embedded-server.ts";
import { gatewayRules } from "./gateway.ts";
import { startProxy } from "./proxy.ts";
import { withSuperuser } from "./superuser.ts";

export type Outside = Awaited<ReturnType<typeof startOutside>>;

/** The secret key that the gateway knows beside the publishable one. */
export const secretKey = "sb_secret_of_the_tests";

/**
 * Starts a Supabase behind its gateway, which a site takes for a hosted one.
 * @param isTrusted whether it knows the site's secret, so that visitors' addresses count
 */
export async function startOutside({ isTrusted = true } = {}) {
  // All visitors are one client to it, as to a hosted one without a secret key.
  const supabase = await startTestServer({ limits: noLimits });
  const { publishableKey } = supabase;
  const gateway = await startProxy(supabase, gatewayRules({ publishableKey, secretKey }));
  // A backslash begins an escape in bytea.
  const secret = String.raw`the-processes\of-the-site-share-this-secret`;
  if (isTrusted) {
    await withSuperuser(
      supabase.dataDir,
      (sql) => sql`insert into private.trusted_site values (sha256(convert_to(${secret}, 'UTF8')))`,
    );
  }
  return {
    supabase,
    gateway,
    /** The settings of a site that uses it. */
    env: {
      SUPABASE_URL: gateway.url,
      SUPABASE_PUBLISHABLE_KEY: publishableKey,
      SITE_SECRET: secret,
    },
    close: async () => {
      await gateway.stop();
      await supabase.close();
    },
  };
}
