import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { Env } from "./env.server.ts";

/** The Supabase behind the site, wherever it runs. */
export interface Backend {
  /** Base of /auth/v1, /rest/v1 and /realtime/v1 for server code. */
  url: string;
  /** The same for the browser; empty for the site's own origin. */
  publicUrl: string;
  publishableKey: string;
  /** Signs notice cookies and the like. */
  cookieSecret: string;
  /** For server code: `address` is the visitor on whose behalf it asks. */
  fetch(request: Request, client: { address: string }): Promise<Response>;
  /** True if the database answers. */
  healthy(): Promise<boolean>;
  close(): Promise<void>;
  /** What the site's port serves of it; absent when it lives elsewhere. */
  endpoints?: {
    fetch(request: Request, client: { address: string }): Promise<Response>;
    upgrade(
      request: IncomingMessage,
      socket: Duplex,
      head: Buffer,
      client: { address: string },
    ): void;
  };
}

/**
 * Starts the embedded Supabase, or points to the outside one when SUPABASE_URL is set.
 * This is the only file that knows which of the two it is.
 */
export async function openBackend(env: Env, siteUrl: URL): Promise<Backend> {
  if (env.SUPABASE_URL && env.SUPABASE_PUBLISHABLE_KEY) {
    return outsideBackend(env.SUPABASE_URL, env.SUPABASE_PUBLISHABLE_KEY);
  }
  // Optional dependencies: a site on a hosted Supabase installs without them.
  const { startEmbedded } = await import("#supabase/embedded/index.ts");
  const embedded = await startEmbedded({
    dataDir: env.DATA_DIR,
    migrationsDir: env.SUPABASE_MIGRATIONS_DIR,
    siteUrl: siteUrl.origin,
    auth: { confirmEmail: env.CONFIRM_EMAIL },
    ...(env.SMTP_URL && env.MAIL_FROM && { mail: { smtpUrl: env.SMTP_URL, from: env.MAIL_FROM } }),
    log: console.log,
  });
  return {
    url: siteUrl.origin,
    publicUrl: "",
    publishableKey: embedded.publishableKey,
    cookieSecret: embedded.cookieSecret,
    fetch: embedded.fetch,
    healthy: embedded.healthy,
    close: embedded.close,
    endpoints: embedded,
  };
}

function outsideBackend(url: string, publishableKey: string): Backend {
  return {
    url,
    publicUrl: url,
    publishableKey,
    // Notices live for a minute: a new secret at each start costs at most one of them.
    cookieSecret: randomBytes(32).toString("base64url"),
    fetch: (request) => fetch(request),
    async healthy() {
      const response = await fetch(new URL("/auth/v1/health", url), {
        headers: { apikey: publishableKey },
        signal: AbortSignal.timeout(3000),
      }).catch(() => undefined);
      return response?.ok ?? false;
    },
    async close() {},
  };
}
