import { log } from "#app/lib/log.server.ts";
import type { Backend, Health } from "#app/site-contract.server.ts";
import { listenToRealtime } from "./realtime.ts";
import { refusalLog } from "./refusals.ts";
import { watchConfirmations } from "./settings.ts";

const timeoutMs = 3000;

interface CallInit extends RequestInit {
  headers?: Record<string, string>;
}

type Ask = (path: string, init: CallInit) => Promise<Response>;

interface OutsideOptions {
  url: string;
  publishableKey: string;
  /** The authentication accepts visitors' addresses with it. */
  secretKey: string | undefined;
  /** SITE_SECRET: the database accepts visitors' addresses from the site that has it. */
  secret: string;
}

/** The Supabase of SUPABASE_URL. Logs at once what is set wrong there. */
export function outsideBackend(options: OutsideOptions): Omit<Backend, "close"> {
  const { url, publishableKey, secret } = options;
  const logRefusal = refusalLog();
  let pending: Promise<Health> | undefined;
  const ask: Ask = (path, init) =>
    fetch(new URL(path, url), {
      ...init,
      headers: { ...init.headers, apikey: publishableKey, "x-site-secret": secret },
      signal: AbortSignal.timeout(timeoutMs),
    });
  void checkSecret(() => askDatabase(ask));
  const canVerifyEmail = watchConfirmations(() => ask("/auth/v1/settings", {}));
  return {
    url,
    publishableKey,
    cookieSecret: secret,
    pushSecret: secret,
    async fetch(request, { address }) {
      request.headers.set("x-site-secret", secret);
      request.headers.set("x-visitor-address", address);
      const isAuth = request.url.includes("/auth/v1/");
      if (isAuth) {
        forwardAddress(request.headers, address, options);
      }
      const response = await fetch(request);
      // Read here, so that the deadline also holds for the body.
      const body = response.body && (await response.arrayBuffer());
      if (isAuth) {
        logRefusal(response.status, body);
      }
      return new Response(body, response);
    },
    async callAsSite(name, args) {
      const response = await callFunction(ask, name, args);
      const text = await response.text();
      if (!response.ok) {
        throw new Error(`The function ${name} of the database failed: ${response.status}`);
      }
      return text === "" ? undefined : JSON.parse(text);
    },
    listen: (session, events) => listenToRealtime({ url, publishableKey }, session, events),
    // Concurrent calls share one check.
    health: () =>
      (pending ??= askHealth(ask).finally(() => {
        pending = undefined;
      })),
    canVerifyEmail,
  };
}

/**
 * Names the visitor to GoTrue, whose limits else count all visitors as one. It believes the header
 * only beside a secret key, which the gateway refuses beside another key as the bearer.
 */
function forwardAddress(
  headers: Headers,
  address: string,
  { publishableKey, secretKey }: OutsideOptions,
): void {
  if (secretKey === undefined) {
    return;
  }
  headers.set("apikey", secretKey);
  headers.set("Sb-Forwarded-For", address);
  if (headers.get("Authorization") === `Bearer ${publishableKey}`) {
    headers.delete("Authorization");
  }
}

/** The status of an answer, 503 without one. */
async function statusOf(asked: Promise<Response>): Promise<number> {
  try {
    const response = await asked;
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 503;
  }
}

/** Whether the authentication accepts the key, and the database answers, even if it refuses. */
async function askHealth(ask: Ask): Promise<Health> {
  const [authentication, database] = await Promise.all([
    statusOf(ask("/auth/v1/health", {})),
    statusOf(askDatabase(ask)),
  ]);
  return { authentication: authentication < 300, database: database < 500 };
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
