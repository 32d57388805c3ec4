import { hkdfSync } from "node:crypto";
import { createClient } from "@supabase/supabase-js";
import { SiteCallError, siteCallTimeoutMs } from "#app/server/backend/site-calls.ts";
import type { Backend } from "#app/site-contract.server.ts";
import type { Database } from "#supabase/database.types.ts";
import { sendToSupabase } from "./answers.ts";
import { LiveBoards } from "./live-boards.ts";
import { joinRealtime } from "./realtime.ts";
import { createSecretClient, type SecretOptions } from "./secret-client.ts";
import { watchAuthentication, watchDatabase } from "./watch.ts";

const timeoutMs = 3000;

export interface OutsideOptions extends SecretOptions {
  /** The client for what accounts do, with their token, under row level security. */
  publishableKey: string;
}

interface OutsideBackend extends Omit<Backend, "close" | "tellDeletion"> {
  close(): void;
}

/** The Supabase of SUPABASE_URL. Logs wrong settings at once. */
export function outsideBackend(options: OutsideOptions): OutsideBackend {
  const { url, publishableKey, secretKey } = options;
  const authentication = watchAuthentication({ url, key: publishableKey });
  const isDatabaseReady = watchDatabase({ url, key: secretKey });
  const live = new LiveBoards({
    join: (changes) => joinRealtime(options, changes),
    readAs: (token, id) => readMessageAs(options, token, id),
  });
  return {
    url,
    publishableKey,
    sharesAccounts: true,
    // The formula of the embedded Supabase. Another secret key gives another signing key.
    cookieSecret: Buffer.from(hkdfSync("sha256", secretKey, "", "outside cookie", 32)).toString(
      "base64url",
    ),
    fetch(request, { address }) {
      const { headers } = request;
      const isAuth = request.url.includes("/auth/v1/");
      if (isAuth) {
        nameVisitor(headers, address, publishableKey);
      }
      headers.set("apikey", isAuth ? secretKey : publishableKey);
      return sendToSupabase(request, isAuth ? "SUPABASE_SECRET_KEY" : "SUPABASE_PUBLISHABLE_KEY");
    },
    callAsSite: secretCalls(options),
    listen: live.listen,
    async health() {
      const asked = [authentication.isReady(), isDatabaseReady()] as const;
      const [answersAuth, database] = await Promise.all(asked);
      return { authentication: answersAuth, database, live: live.isJoined };
    },
    canVerifyEmail: authentication.canVerifyEmail,
    close: () => live.close(),
  };
}

/** Calls functions that the site alone may call. */
function secretCalls(options: SecretOptions): Backend["callAsSite"] {
  const client = createSecretClient(options);
  return async (name, args) => {
    const call = client.rpc(name, args).abortSignal(AbortSignal.timeout(siteCallTimeoutMs));
    const { data, error, status } = await call;
    if (!error) {
      return data;
    }
    // If there was no answer, this is the error of the fetch.
    const { message, code = "", details } = error;
    if (status === 0) {
      throw new Error(message);
    }
    // PostgREST's may be null, other than its type says.
    throw new SiteCallError(name, { status, code, details: details ?? "" });
  };
}

/** Row level security decides whether the account of the token may read it. */
async function readMessageAs(
  { url, publishableKey }: OutsideOptions,
  token: string,
  id: string,
): Promise<unknown> {
  const client = createClient<Database>(url, publishableKey, {
    accessToken: async () => token,
    global: {
      fetch: (input, init) => sendToSupabase(new Request(input, init), "SUPABASE_PUBLISHABLE_KEY"),
    },
  });
  const signal = AbortSignal.timeout(timeoutMs);
  const { data, error } = await client.rpc("read_inbox", { open: id, most: 1 }).abortSignal(signal);
  if (error) {
    throw new Error(`A new message was not read: ${error.code}`);
  }
  return data.opened;
}

/**
 * Names the visitor to GoTrue, whose limits would otherwise count all visitors as one. GoTrue believes the
 * header only with a secret key, and the gateway refuses that key together with another one as the bearer.
 */
function nameVisitor(headers: Headers, address: string, publishableKey: string): void {
  headers.set("Sb-Forwarded-For", address);
  if (headers.get("Authorization") === `Bearer ${publishableKey}`) {
    headers.delete("Authorization");
  }
}
