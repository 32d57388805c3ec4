import { z } from "zod";
import { siteCalls } from "#app/server/site-calls.ts";
import type { Backend, Health } from "#app/site-contract.server.ts";
import { answerOf } from "./answers.ts";
import { listenToRealtime } from "./realtime.ts";
import { untrusted, watchConfirmations, watchSecret } from "./settings.ts";

const timeoutMs = 3000;

type Ask = (path: string, init?: RequestInit) => Promise<Response>;

interface OutsideOptions {
  url: string;
  publishableKey: string;
  /** The authentication accepts visitors' addresses with it. */
  secretKey: string | undefined;
  /** SITE_SECRET: the database accepts visitors' addresses from the site that has it. */
  secret: string;
}

interface OutsideBackend extends Omit<Backend, "close" | "tellDeletion"> {
  /** Whether the database knows this site, and answers its calls. Rejects if it is away. */
  isKnown(): Promise<boolean>;
}

/** The Supabase of SUPABASE_URL. Logs at once what is set wrong there. */
export function outsideBackend(options: OutsideOptions): OutsideBackend {
  const { url, publishableKey, secretKey, secret } = options;
  let pending: Promise<Health> | undefined;
  const send = (request: Request, signal?: AbortSignal) => {
    const { headers } = request;
    const isSecret = secretKey !== undefined && isAuth(request);
    headers.set("apikey", isSecret ? secretKey : publishableKey);
    headers.set("x-site-secret", secret);
    const key = isSecret ? "SUPABASE_SECRET_KEY" : "SUPABASE_PUBLISHABLE_KEY";
    return answerOf({ request, key, ...(signal && { signal }) });
  };
  const ask: Ask = (path, init) =>
    send(new Request(new URL(path, url), init), AbortSignal.timeout(timeoutMs));
  const isKnown = watchSecret(() => askDatabase(ask));
  const canVerifyEmail = watchConfirmations(() => ask("/auth/v1/settings"));
  return {
    url,
    publishableKey,
    sharesAccounts: true,
    cookieSecret: secret,
    fetch(request, { address }) {
      request.headers.set("x-visitor-address", address);
      if (secretKey !== undefined && isAuth(request)) {
        forwardAddress(request.headers, address, publishableKey);
      }
      return send(request);
    },
    callAsSite: siteCalls((name, args) => callFunction(ask, name, args), untrusted),
    listen: (token, events) => listenToRealtime({ url, publishableKey }, token, events),
    // Concurrent calls share one check.
    health: () =>
      (pending ??= askHealth(ask).finally(() => {
        pending = undefined;
      })),
    canVerifyEmail,
    isKnown,
  };
}

const isAuth = ({ url }: Request) => url.includes("/auth/v1/");

/**
 * Names the visitor to GoTrue, whose limits else count all visitors as one. It believes the header
 * only beside a secret key, which the gateway refuses beside another key as the bearer.
 */
function forwardAddress(headers: Headers, address: string, publishableKey: string): void {
  headers.set("Sb-Forwarded-For", address);
  if (headers.get("Authorization") === `Bearer ${publishableKey}`) {
    headers.delete("Authorization");
  }
}

const goTrueSchema = z.object({ name: z.literal("GoTrue") });

/** Whether both answer as themselves: other servers also answer with 200. */
async function askHealth(ask: Ask): Promise<Health> {
  const [authentication, database] = await Promise.all([
    isAnswer(goTrueSchema, ask("/auth/v1/health")),
    isAnswer(z.boolean(), askDatabase(ask)),
  ]);
  return { authentication, database };
}

async function isAnswer(schema: z.ZodType, asked: Promise<Response>): Promise<boolean> {
  try {
    return schema.safeParse(await (await asked).json()).success;
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
