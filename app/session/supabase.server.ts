import { createServerClient, isChunkLike, serializeCookieHeader } from "@supabase/ssr";
import { type AuthError, createClient } from "@supabase/supabase-js";
import { createContext, type MiddlewareFunction, type RouterContextProvider } from "react-router";
import type { Attempts } from "#app/models/attempts.server.ts";
import { getAccessToken } from "#app/models/sessions.server.ts";
import type { Supabase } from "#app/models/supabase.ts";
import type { Database } from "#supabase/database.types.ts";
import { cookieNames } from "./cookie-names.server.ts";
import { deviceProofHeader, readDeviceProof } from "./device-proof.server.ts";
import { ServiceCalls } from "./service-calls.server.ts";
import { readCookies, soundCookies } from "./session-cookie.server.ts";
import { type Site, siteContext, visitorContext } from "./site-context.server.ts";

interface Clients {
  visitor(): Supabase;
  anonymous(bearer: string | undefined): Supabase;
  lasting(bearer: string | undefined): Supabase;
  deviceProof: string | undefined;
  calls: ServiceCalls;
  pending: Pending;
}

const supabaseContext = createContext<Clients>();

/**
 * Makes one Supabase client for the request, when it is first needed. Its session is the visitor's
 * cookie; changes of the session go onto the response, whatever that is (@supabase/ssr, README).
 */
export const supabaseMiddleware: MiddlewareFunction<Response> = async (
  { request, context },
  next,
) => {
  const site = context.get(siteContext);
  const pending: Pending = {
    cookies: new Map(),
    headers: {},
    hasSession: false,
    isSignedOut: false,
  };
  const { address } = context.get(visitorContext);
  const calls = new ServiceCalls(site, request, address);
  const alone: typeof fetch = (...call) => new ServiceCalls(site, request, address).fetch(...call);
  let client: Supabase | undefined;
  const deviceProof = readDeviceProof(request, site.secure);
  context.set(supabaseContext, {
    visitor: () => (client ??= createVisitorClient(site, request, calls, pending)),
    anonymous: (bearer) => createAnonymousClient(site, calls, bearer),
    lasting: (bearer) =>
      createAnonymousClient(site, { headers: calls.headers, fetch: alone }, bearer),
    deviceProof,
    calls,
    pending,
  });

  const response = await next();
  for (const [name, value] of Object.entries(pending.headers)) {
    response.headers.set(name, value);
  }
  const isNewSession = pending.hasSession && !hasSessionCookie(site, request);
  for (const [name, { value, header }] of pending.cookies) {
    // A sign-up keeps what its mail's link would need, and then there is no mail.
    const isIdleFlow = isNewSession && value !== "" && name.endsWith("-code-verifier");
    if (!isIdleFlow) {
      response.headers.append("Set-Cookie", header);
    }
  }
  if (client && pending.hasSession) {
    const header = await deviceProofHeader(client, deviceProof, site.secure);
    if (header) {
      response.headers.append("Set-Cookie", header);
    }
  }
  return response;
};

interface Pending {
  /** By name. */
  cookies: Map<string, { value: string; header: string }>;
  headers: Record<string, string>;
  hasSession: boolean;
  isSignedOut: boolean;
}

function hasSessionCookie({ secure }: Site, request: Request): boolean {
  const { session } = cookieNames(secure);
  const cookies = readCookies(request.headers.get("Cookie") ?? "");
  return cookies.some(({ name }) => isChunkLike(name, session));
}

/** The request's client: it acts as the signed-in account, or as a visitor. */
export function getSupabase(context: Readonly<RouterContextProvider>): Supabase {
  return context.get(supabaseContext).visitor();
}

/**
 * A new client without a session, whose sign-ins do not become the visitor's. With `bearer`, an
 * access token, they authenticate its session again (supabase/embedded/auth/CONTRACT.md, "Recent
 * authentication").
 */
export function getAnonymousSupabase(
  context: Readonly<RouterContextProvider>,
  bearer?: string,
): Supabase {
  return context.get(supabaseContext).anonymous(bearer);
}

/** For calls while the response is sent: each has its deadline, and no cookie can be renewed. */
export async function getLastingSupabase(
  context: Readonly<RouterContextProvider>,
): Promise<Supabase> {
  const { visitor, lasting } = context.get(supabaseContext);
  return lasting(await getAccessToken(visitor()));
}

/** Whether the session had to be refreshed, and the service did not say whether it is over. */
export function isSessionUnknown(context: Readonly<RouterContextProvider>): boolean {
  return context.get(supabaseContext).calls.isRefreshUnanswered;
}

/** Removes the session's cookies and ends it; returns the error if the service did not end it. */
export async function signOut(context: Readonly<RouterContextProvider>): Promise<AuthError | null> {
  const { pending, visitor } = context.get(supabaseContext);
  pending.isSignedOut = true;
  const { error } = await visitor().auth.signOut({ scope: "local" });
  return error;
}

export function getAttempts(context: Readonly<RouterContextProvider>): Attempts {
  return {
    supabase: getAnonymousSupabase(context),
    device: context.get(supabaseContext).deviceProof,
  };
}

const thirtyDays = 30 * 24 * 60 * 60;

function createVisitorClient(
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
    pending.cookies.set(broken, { value: "", header: removal });
  });
  return createServerClient<Database>(backend.url, backend.publishableKey, {
    cookieOptions: { name: session, ...cookieOptions },
    // Short headers: a proxy's buffer for them has 4 KiB, and base64 is a third longer.
    cookieEncoding: "raw",
    cookies: {
      encode: "tokens-only",
      getAll: () => sent,
      setAll(cookies, headers) {
        // auth-js removes a session whose refresh was not answered.
        const isRemoval = cookies.every(({ value }) => value === "");
        if (isRemoval && calls.isRefreshUnanswered && !pending.isSignedOut) {
          return;
        }
        for (const { name, value, options } of cookies) {
          pending.hasSession ||= value !== "" && isChunkLike(name, session);
          // The client asks for 400 days, from each renewal on.
          const maxAge = Math.min(options.maxAge ?? 0, thirtyDays);
          const header = serializeCookieHeader(name, value, { ...options, maxAge });
          pending.cookies.set(name, { value, header });
        }
        Object.assign(pending.headers, headers);
      },
    },
    global: calls,
  });
}

function createAnonymousClient(
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
