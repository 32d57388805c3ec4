import { createServerClient, isChunkLike, serializeCookieHeader } from "@supabase/ssr";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { createContext, type MiddlewareFunction, type RouterContextProvider } from "react-router";
import type { Database } from "#supabase/database.types.ts";
import { type Site, siteContext, visitorContext } from "./site-context.ts";
import { cookieNames } from "./cookie-names.ts";
import { deviceProofHeader, readDeviceProof } from "./device-proof.ts";
import { brokenSession, readCookies } from "./session-cookie.ts";

type Supabase = SupabaseClient<Database>;

interface Clients {
  visitor(): Supabase;
  anonymous(): Supabase;
  /** Claims that an account used this browser before; not checked here. */
  deviceProof: string | undefined;
}

const supabaseContext = createContext<Clients>();

/**
 * One Supabase client a request, made when first asked for: its session is the visitor's
 * cookie, and what it changes about that session goes onto whatever answer leaves.
 * After the README of @supabase/ssr.
 */
export const supabaseMiddleware: MiddlewareFunction<Response> = async (
  { request, context },
  next,
) => {
  const site = context.get(siteContext);
  const pending = new Headers();
  const { address } = context.get(visitorContext);
  let client: Supabase | undefined;
  let hasNewSession = false;
  const deviceProof = readDeviceProof(request, site.secure);
  context.set(supabaseContext, {
    visitor: () =>
      (client ??= createVisitorClient(site, request, address, pending, () => {
        hasNewSession = true;
      })),
    anonymous: () => createAnonymousClient(site, request, address),
    deviceProof,
  });

  const response = await next();
  if (client && hasNewSession) {
    const header = await deviceProofHeader(client, deviceProof, site.secure);
    if (header) {
      pending.append("Set-Cookie", header);
    }
  }
  for (const [name, value] of pending) {
    if (name === "set-cookie") {
      response.headers.append(name, value);
    } else {
      response.headers.set(name, value);
    }
  }
  return response;
};

/** The request's Supabase client; it acts as the signed-in account, or as a visitor. */
export function getSupabase(context: Readonly<RouterContextProvider>): Supabase {
  return context.get(supabaseContext).visitor();
}

/**
 * A client without a session: for what must not depend on the visitor's cookie, and for a
 * sign-in that shall not become the visitor's.
 */
export function getAnonymousSupabase(context: Readonly<RouterContextProvider>): Supabase {
  return context.get(supabaseContext).anonymous();
}

/** What the visitor's browser brings to prove that an account used it; not checked here. */
export function getDeviceProof(context: Readonly<RouterContextProvider>): string | undefined {
  return context.get(supabaseContext).deviceProof;
}

const thirtyDays = 30 * 24 * 60 * 60;

function createVisitorClient(
  site: Site,
  request: Request,
  address: string,
  pending: Headers,
  onSession: () => void,
): Supabase {
  const { backend, secure } = site;
  const session = cookieNames(secure).session;
  const cookieOptions = { httpOnly: true, secure, sameSite: "lax", path: "/" } as const;
  const brought = soundCookies(session, request, (broken) => {
    const removal = serializeCookieHeader(broken, "", { ...cookieOptions, maxAge: 0 });
    pending.append("Set-Cookie", removal);
  });
  return createServerClient<Database>(backend.url, backend.publishableKey, {
    cookieOptions: { name: session, ...cookieOptions },
    cookies: {
      getAll: () => brought,
      setAll(cookies, headers) {
        for (const { name, value, options } of cookies) {
          if (value && isChunkLike(name, session)) {
            onSession();
          }
          // The client insists on 400 days; each renewal of the session begins them anew.
          const maxAge = Math.min(options.maxAge ?? 0, thirtyDays);
          pending.append("Set-Cookie", serializeCookieHeader(name, value, { ...options, maxAge }));
        }
        for (const [name, value] of Object.entries(headers)) {
          pending.set(name, value);
        }
      },
    },
    global: onBehalf(site, request, address),
  });
}

/** The visitor's cookies but for a broken session's, which `remove` is told of. */
async function soundCookies(session: string, request: Request, remove: (name: string) => void) {
  const cookies = readCookies(request.headers.get("Cookie") ?? "");
  const broken = new Set(await brokenSession(session, cookies));
  broken.forEach(remove);
  return cookies.filter(({ name }) => !broken.has(name));
}

function createAnonymousClient(site: Site, request: Request, address: string): Supabase {
  const { url, publishableKey } = site.backend;
  return createClient<Database>(url, publishableKey, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    global: onBehalf(site, request, address),
  });
}

const maxAgent = 256;

function onBehalf({ backend }: Site, request: Request, address: string) {
  return {
    // The list of devices shows the visitor's browser, not this server.
    headers: { "User-Agent": request.headers.get("User-Agent")?.slice(0, maxAgent) ?? "" },
    fetch: (input: RequestInfo | URL, init?: RequestInit) =>
      backend.fetch(new Request(input, init), { address }),
  };
}
