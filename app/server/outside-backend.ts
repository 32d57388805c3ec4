import { log } from "#app/lib/log.server.ts";
import type { Backend } from "#app/session/site-context.server.ts";

const patienceMs = 3000;

/**
 * A Supabase that runs elsewhere.
 * @param secret makes the visitors' addresses, by which the database limits, the site's to tell
 */
export function outsideBackend(url: string, publishableKey: string, secret: string): Backend {
  const ask = (path: string, init: RequestInit) =>
    fetch(new URL(path, url), {
      ...init,
      headers: { apikey: publishableKey, "x-site-secret": secret },
      signal: AbortSignal.timeout(patienceMs),
    });
  void checkSecret(() => ask("/rest/v1/rpc/is_trusted_site", { method: "POST" }));
  return {
    url,
    publishableKey,
    cookieSecret: secret,
    fetch(request, { address }) {
      request.headers.set("x-site-secret", secret);
      request.headers.set("x-visitor-address", address);
      return fetch(request);
    },
    async healthy() {
      const response = await ask("/auth/v1/health", {}).catch(() => undefined);
      return response?.ok ?? false;
    },
    async close() {},
  };
}

const remedy =
  "run there: insert into private.trusted_site values (sha256('the secret')) on conflict do nothing;";

/** Says at the start what would otherwise only show as limits that hit everybody. */
async function checkSecret(ask: () => Promise<Response>): Promise<void> {
  const response = await ask().catch(() => undefined);
  if (response?.status === 404) {
    log.error("The database of SUPABASE_URL is older than this site: run supabase db push");
  } else if (!response?.ok) {
    log.warn("The Supabase at SUPABASE_URL does not answer", { status: response?.status });
  } else if ((await response.json()) !== true) {
    log.error(
      `SITE_SECRET does not count at SUPABASE_URL, so that all visitors share one limit: ${remedy}`,
    );
  }
}
