import { noLimits } from "embedded-supabase/testing";
import { startTestServer } from "./embedded-server.ts";
import { gatewayRules } from "./gateway.ts";
import { secretKey } from "./keys.ts";
import { startProxy } from "./proxy.ts";

export type Outside = Awaited<ReturnType<typeof startOutside>>;

/** Starts a Supabase behind its gateway, which a site takes for a hosted one. */
export async function startOutside() {
  // The limits of GoTrue are not those of the embedded authentication.
  const supabase = await startTestServer({ limits: noLimits });
  const { publishableKey } = supabase;
  const gateway = await startProxy(supabase, gatewayRules(publishableKey));
  return {
    supabase,
    gateway,
    /** The settings of a site that uses it. */
    env: {
      SUPABASE_URL: gateway.url,
      SUPABASE_PUBLISHABLE_KEY: publishableKey,
      SUPABASE_SECRET_KEY: secretKey,
    },
    close: async () => {
      await gateway.stop();
      await supabase.close();
    },
  };
}
