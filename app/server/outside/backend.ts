import { hkdfSync } from "node:crypto";
import { createClient } from "@supabase/supabase-js";
import { z } from "zod";
import { siteAgent } from "#app/lib/device-name.ts";
import { untilAborted } from "#app/lib/until-aborted.ts";
import { SiteCallError, siteCallTimeoutMs } from "#app/server/site-calls.ts";
import type { Backend, Health } from "#app/site-contract.server.ts";
import { answerOf } from "./answers.ts";
import { listenToRealtime } from "./realtime.ts";
import { watchConfirmations, watchDatabase } from "./settings.ts";

const timeoutMs = 3000;

interface OutsideOptions {
  url: string;
  /** Of what accounts do, with their token, under row level security. */
  publishableKey: string;
  /** Of what the site does for itself and for its visitors. */
  secretKey: string;
}

interface OutsideBackend extends Omit<Backend, "close" | "tellDeletion"> {
  /** Whether the database answers the site's calls. Rejects if it is away. */
  isReady(): Promise<boolean>;
}

/** The Supabase of SUPABASE_URL. Logs at once what is set wrong there. */
export function outsideBackend(options: OutsideOptions): OutsideBackend {
  const { url, publishableKey, secretKey } = options;
  let pending: Promise<Health> | undefined;
  const callAsSite = secretCalls(options);
  const isReady = watchDatabase(() =>
    untilAborted(AbortSignal.timeout(timeoutMs), callAsSite("privacy_terms", {})),
  );
  const askAuth = (path: string) => {
    const headers = { apikey: secretKey, "User-Agent": siteAgent(null) };
    const request = new Request(new URL(path, url), { headers });
    const signal = AbortSignal.timeout(timeoutMs);
    return answerOf({ request, key: "SUPABASE_SECRET_KEY", signal });
  };
  const canVerifyEmail = watchConfirmations(() => askAuth("/auth/v1/settings"));
  const goTrueSchema = z.object({ name: z.literal("GoTrue") });
  return {
    url,
    publishableKey,
    sharesAccounts: true,
    // The formula of the embedded one. Who has another secret key signs with another one.
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
      const key = isAuth ? "SUPABASE_SECRET_KEY" : "SUPABASE_PUBLISHABLE_KEY";
      return answerOf({ request, key });
    },
    callAsSite,
    listen: (token, events) => listenToRealtime({ url, publishableKey }, token, events),
    // Concurrent calls share one check. Other servers also answer with 200.
    health: () =>
      (pending ??= Promise.all([
        isTrue(
          askAuth("/auth/v1/health").then(async (answer) =>
            goTrueSchema.parse(await answer.json()),
          ),
        ),
        isTrue(isReady()),
      ])
        .then(([authentication, database]) => ({ authentication, database }))
        .finally(() => {
          pending = undefined;
        })),
    canVerifyEmail,
    isReady,
  };
}

const isTrue = (asked: Promise<unknown>) => asked.then(Boolean, () => false);

/** The only client with the secret key. It has no session, and calls functions by their name. */
function secretCalls({ url, secretKey }: OutsideOptions): Backend["callAsSite"] {
  const client = createClient(url, secretKey, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    global: {
      // Hosted Supabase refuses a secret key from browsers, which it knows by their agents.
      headers: { "User-Agent": siteAgent(null) },
      fetch: (input, init) =>
        answerOf({ request: new Request(input, init), key: "SUPABASE_SECRET_KEY" }),
    },
  });
  return async (name, args) => {
    const call = client.rpc(name, args).abortSignal(AbortSignal.timeout(siteCallTimeoutMs));
    const { data, error, status } = await call;
    if (!error) {
      return data;
    }
    // Without an answer it is the error of the fetch.
    const { message, code = "", details } = error;
    throw status === 0 ? new Error(message) : new SiteCallError(name, { status, code, details });
  };
}

/**
 * Names the visitor to GoTrue, whose limits else count all visitors as one. It believes the header
 * only beside a secret key, which the gateway refuses beside another key as the bearer.
 */
function nameVisitor(headers: Headers, address: string, publishableKey: string): void {
  headers.set("Sb-Forwarded-For", address);
  if (headers.get("Authorization") === `Bearer ${publishableKey}`) {
    headers.delete("Authorization");
  }
}
