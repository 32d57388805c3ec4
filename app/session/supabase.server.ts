import { createServerClient, isChunkLike, serializeCookieHeader } from "@supabase/ssr";
import { createClient } from "@supabase/supabase-js";
import { createContext, type MiddlewareFunction, type RouterContextProvider } from "react-router";
import type { Attempts } from "#app/models/attempts.server.ts";
import type { Supabase } from "#app/models/supabase.ts";
import type { Database } from "#supabase/database.types.ts";
import { type Site, siteContext, visitorContext } from "./site-context.server.ts";
import { cookieNames } from "./cookie-names.server.ts";
import { deviceProofHeader, readDeviceProof } from "./device-proof.server.ts";
import { brokenSession, readCookies } from "./session-cookie.server.ts";

interface Clients {
  visitor(): Supabase;
  anonymous(bearer: string | undefined): Supabase;
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
  const pending: Pending = { cookies: new Map(), headers: {}, hasSession: false };
  const { address } = context.get(visitorContext);
  let client: Supabase | undefined;
  const deviceProof = readDeviceProof(request, site.secure);
  context.set(supabaseContext, {
    visitor: () => (client ??= createVisitorClient(site, request, address, pending)),
    anonymous: (bearer) => createAnonymousClient(site, request, address, bearer),
    deviceProof,
  });

  const response = await next();
  for (const [name, value] of Object.entries(pending.headers)) {
    response.headers.set(name, value);
  }
  const isNewSession = pending.hasSession && !bringsSession(site, request);
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

/** What the answer still has to be given. */
interface Pending {
  /** The last value of each name, with its Set-Cookie header. */
  cookies: Map<string, { value: string; header: string }>;
  headers: Record<string, string>;
  /** Whether a session has begun or been renewed. */
  hasSession: boolean;
}

function bringsSession({ secure }: Site, request: Request): boolean {
  const { session } = cookieNames(secure);
  const cookies = readCookies(request.headers.get("Cookie") ?? "");
  return cookies.some(({ name }) => isChunkLike(name, session));
}

/** The request's Supabase client; it acts as the signed-in account, or as a visitor. */
export function getSupabase(context: Readonly<RouterContextProvider>): Supabase {
  return context.get(supabaseContext).visitor();
}

/**
 * A client without a session: for what must not depend on the visitor's cookie, and for a
 * sign-in that must not become the visitor's.
 * @param bearer the access token of a session that its sign-ins authenticate again
 *   (supabase/embedded/auth/CONTRACT.md, "Recent authentication")
 */
export function getAnonymousSupabase(
  context: Readonly<RouterContextProvider>,
  bearer?: string,
): Supabase {
  return context.get(supabaseContext).anonymous(bearer);
}

/** What the visitor's attempts are counted with. */
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
  address: string,
  pending: Pending,
): Supabase {
  const { backend, secure } = site;
  const session = cookieNames(secure).session;
  const cookieOptions = { httpOnly: true, secure, sameSite: "lax", path: "/" } as const;
  const brought = soundCookies(session, request, (broken) => {
    const removal = serializeCookieHeader(broken, "", { ...cookieOptions, maxAge: 0 });
    pending.cookies.set(broken, { value: "", header: removal });
  });
  return createServerClient<Database>(backend.url, backend.publishableKey, {
    cookieOptions: { name: session, ...cookieOptions },
    // Short headers: a proxy's buffer for them has 4 KiB, and base64 is a third longer.
    cookieEncoding: "raw",
    cookies: {
      encode: "tokens-only",
      getAll: () => brought,
      setAll(cookies, headers) {
        for (const { name, value, options } of cookies) {
          pending.hasSession ||= value !== "" && isChunkLike(name, session);
          // The client insists on 400 days; each renewal of the session starts them again.
          const maxAge = Math.min(options.maxAge ?? 0, thirtyDays);
          const header = serializeCookieHeader(name, value, { ...options, maxAge });
          pending.cookies.set(name, { value, header });
        }
        Object.assign(pending.headers, headers);
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

function createAnonymousClient(
  site: Site,
  request: Request,
  address: string,
  bearer: string | undefined,
): Supabase {
  const { url, publishableKey } = site.backend;
  const { headers, fetch } = onBehalf(site, request, address);
  return createClient<Database>(url, publishableKey, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    global: {
      fetch,
      headers: bearer ? { ...headers, Authorization: `Bearer ${bearer}` } : headers,
    },
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
