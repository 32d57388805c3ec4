import { log } from "#app/lib/log.server.ts";
import type { Backend } from "#app/site-contract.server.ts";

const timeoutMs = 3000;

interface CallInit extends RequestInit {
  headers?: Record<string, string>;
}

type Ask = (path: string, init: CallInit) => Promise<Response>;

/** @param secret SITE_SECRET: the database accepts visitors' addresses from the site that has it */
export function outsideBackend(
  url: string,
  publishableKey: string,
  secret: string,
): Omit<Backend, "close"> {
  let pending: Promise<boolean> | undefined;
  const ask: Ask = (path, init) =>
    fetch(new URL(path, url), {
      ...init,
      headers: { ...init.headers, apikey: publishableKey, "x-site-secret": secret },
      signal: AbortSignal.timeout(timeoutMs),
    });
  void checkSecret(() => askDatabase(ask));
  return {
    url,
    publishableKey,
    cookieSecret: secret,
    pushSecret: secret,
    async fetch(request, { address }) {
      request.headers.set("x-site-secret", secret);
      request.headers.set("x-visitor-address", address);
      const response = await fetch(request);
      // Read here, so that the deadline also holds for the body.
      return new Response(response.body && (await response.arrayBuffer()), response);
    },
    async callAsSite(name, args) {
      const response = await callFunction(ask, name, args);
      const text = await response.text();
      if (!response.ok) {
        throw new Error(`The function ${name} of the database failed: ${response.status}`);
      }
      return text === "" ? undefined : JSON.parse(text);
    },
    // Concurrent calls share one check.
    healthy: () =>
      (pending ??= answers(ask).finally(() => {
        pending = undefined;
      })),
  };
}

/** Whether the authentication service accepts the key and the database answers, even if it refuses. */
async function answers(ask: Ask): Promise<boolean> {
  try {
    const responses = await Promise.all([ask("/auth/v1/health", {}), askDatabase(ask)]);
    await Promise.all(responses.map((response) => response.text()));
    const [auth, database] = responses;
    return auth.ok && database.status < 500;
  } catch {
    return false;
  }
}

const callFunction = (ask: Ask, name: string, args: object) =>
  ask(`/rest/v1/rpc/${name}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(args),
  });
const askDatabase = (ask: Ask) => callFunction(ask, "is_trusted_site", {});

const remedy =
  "run there: insert into private.trusted_site values (sha256('the secret')) on conflict do nothing;";

/** Logs a wrong secret at the start: otherwise all visitors would share one limit unnoticed. */
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
