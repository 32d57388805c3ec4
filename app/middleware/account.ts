import { isAuthRetryableFetchError, type JwtPayload } from "@supabase/supabase-js";
import {
  createContext,
  href,
  type MiddlewareFunction,
  redirect,
  type RouterContextProvider,
} from "react-router";
import { siteContext } from "../context.ts";
import { cookieNames } from "../cookies.ts";
import { getSupabase } from "./supabase.ts";

export interface Account {
  id: string;
  email: string;
}

const accountContext = createContext<Account>();

/**
 * Lets only signed-in accounts through; others are sent to /auth. It asks the
 * authentication service, not just the token, so that a session ended elsewhere ends here.
 */
export const requireAccount: MiddlewareFunction<Response> = async ({ request, context }, next) => {
  const account = await readAccount(request, context);
  if (!account) throw redirect(href("/auth"));
  context.set(accountContext, account);
  return next();
};

async function readAccount(
  request: Request,
  context: Readonly<RouterContextProvider>,
): Promise<Account | undefined> {
  const { data, error } = await getSupabase(context).auth.getUser();
  if (data.user) return { id: data.user.id, email: data.user.email ?? "" };
  // An answer that says nothing about the session must not look like the end of it.
  const isAway = error && (isAuthRetryableFetchError(error) || (error.status ?? 0) >= 500);
  const claims = isAway ? await getClaims(request, context) : undefined;
  return claims && { id: claims.sub, email: claims.email ?? "" };
}

/** The account that `requireAccount` let through. */
export function getAccount(context: Readonly<RouterContextProvider>): Account {
  return context.get(accountContext);
}

/**
 * The claims of the visitor's session, if it is genuine and unexpired (refreshed if need
 * be). Good for deciding what to show; `requireAccount` decides what to give.
 */
export async function getClaims(
  request: Request,
  context: Readonly<RouterContextProvider>,
): Promise<JwtPayload | undefined> {
  const { session } = cookieNames(context.get(siteContext).secure);
  if (!request.headers.get("Cookie")?.includes(session)) return undefined;
  // A forged signature is an error of the client's, thrown or returned: no session, either way.
  const { data } = await getSupabase(context)
    .auth.getClaims()
    .catch(() => ({ data: null }));
  return data?.claims;
}
