import { createServerClient, serializeCookieHeader } from "@supabase/ssr";
import { type AuthError, createClient } from "@supabase/supabase-js";
import { createContext, type MiddlewareFunction } from "react-router";
import type { Attempts } from "#app/models/account/attempts.server.ts";
import { getAccessToken } from "#app/models/account/sessions.server.ts";
import type { Supabase } from "#app/models/supabase.ts";
import type { Site } from "#app/site-contract.server.ts";
import type { Database } from "#supabase/database.types.ts";
import { cookieNames } from "./cookie-names.server.ts";
import { ServiceCalls } from "./service-calls.server.ts";
import { soundCookies } from "./session-cookie.server.ts";
import { type RouterContext, siteContext, visitorContext } from "./site-context.server.ts";

interface Clients {
  own(): Supabase;
  separate(bearer: string | undefined): Supabase;
  lasting(bearer: string | undefined): Supabase;
  attempts: Attempts;
  calls: ServiceCalls;
  pending: Pending;
}

const clientsContext = createContext<Clients>();

/**
 * Provides one Supabase client for the request, created at its first use. It reads the session from
 * the cookies and adds changed cookies to every response (@supabase/ssr, README). The headers against caches that the
 * library asks for stand on every response already.
 */
export const supabaseMiddleware: MiddlewareFunction<Response> = async (
  { request, context },
  next,
) => {
  const site = context.get(siteContext);
  const pending: Pending = { cookies: new Map(), isSignedOut: false };
  const { address } = context.get(visitorContext);
  const calls = new ServiceCalls(site, request, address);
  const alone: typeof fetch = (...call) => new ServiceCalls(site, request, address).fetch(...call);
  let client: Supabase | undefined;
  context.set(clientsContext, {
    own: () => (client ??= createOwnClient(site, request, calls, pending)),
    separate: (bearer) => createSeparateClient(site, calls, bearer),
    lasting: (bearer) =>
      createSeparateClient(site, { headers: calls.headers, fetch: alone }, bearer),
    attempts: { site: site.backend, address },
    calls,
    pending,
  });

  const response = await next();
  for (const header of pending.cookies.values()) {
    response.headers.append("Set-Cookie", header);
  }
  return response;
};

interface Pending {
  /** The headers by the cookie's name. */
  cookies: Map<string, string>;
  isSignedOut: boolean;
}

/** The request's client. It acts as the signed-in account or as a visitor. */
export function getSupabase(context: RouterContext): Supabase {
  return context.get(clientsContext).own();
}

/**
 * A new client beside the session of the cookies. Its sign-ins do not change the visitor's cookies. With an access
 * token (`bearer`) they count as a recent authentication of that session (supabase/embedded/README.md,
 * "Where the authentication differs from GoTrue").
 */
export function getSeparateSupabase(context: RouterContext, bearer?: string): Supabase {
  return context.get(clientsContext).separate(bearer);
}

/** A client for calls while the response is sent: a deadline for each call, no cookie renewal. */
export async function getLastingSupabase(context: RouterContext): Promise<Supabase> {
  const { own, lasting } = context.get(clientsContext);
  return lasting(await getAccessToken(own()));
}

/** Whether a refresh failed without showing that the session has ended. */
export function isSessionUnknown(context: RouterContext): boolean {
  return context.get(clientsContext).calls.isRefreshUnanswered;
}

/** Removes the session's cookies and ends the session. Returns the error if that failed. */
export async function signOut(context: RouterContext): Promise<AuthError | null> {
  const { pending, own } = context.get(clientsContext);
  pending.isSignedOut = true;
  const { error } = await own().auth.signOut({ scope: "local" });
  return error;
}

export function getAttempts(context: RouterContext): Attempts {
  return context.get(clientsContext).attempts;
}

const thirtyDays = 30 * 24 * 60 * 60;

function createOwnClient(
  site: Site,
  request: Request,
  calls: ServiceCalls,
  pending: Pending,
): Supabase {
  const { backend, secure } = site;
  const session = cookieNames(secure).session;
  const cookieOptions = { httpOnly: true, secure, sameSite: "lax", path: "/" } as const;
  const sent = soundCookies(session, request.headers.get("Cookie") ?? "", (broken) => {
    const removal = serializeCookieHeader(broken, "", { ...cookieOptions, maxAge: 0 });
    pending.cookies.set(broken, removal);
  });
  return createServerClient<Database>(backend.url, backend.publishableKey, {
    cookieOptions: { name: session, ...cookieOptions },
    // Base64 is a third longer, in each request.
    cookieEncoding: "raw",
    cookies: {
      encode: "tokens-only",
      getAll: () => sent,
      setAll(cookies) {
        // auth-js also removes a session whose refresh was not answered; it must stay.
        const isRemoval = cookies.every(({ value }) => value === "");
        if (isRemoval && calls.isRefreshUnanswered && !pending.isSignedOut) {
          return;
        }
        for (const { name, value, options } of cookies) {
          // PKCE's verifier: the site's mails lead to pages that need none.
          if (name.endsWith("-code-verifier")) {
            continue;
          }
          // The client sets 400 days at each renewal, and 0 to remove a cookie.
          const maxAge = Math.min(options.maxAge ?? thirtyDays, thirtyDays);
          const header = serializeCookieHeader(name, value, { ...options, maxAge });
          pending.cookies.set(name, header);
        }
      },
    },
    global: calls,
  });
}

function createSeparateClient(
  { backend: { url, publishableKey } }: Site,
  { headers, fetch }: Pick<ServiceCalls, "headers" | "fetch">,
  bearer: string | undefined,
): Supabase {
  return createClient<Database>(url, publishableKey, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    global: {
      fetch,
      headers: bearer ? { ...headers, Authorization: `Bearer ${bearer}` } : headers,
    },
  });
}
