import { type AuthError, createClient } from "@supabase/supabase-js";
import { z } from "zod";
import { untilAborted } from "#app/lib/until-aborted.ts";
import { readCookies, readSession } from "#app/session/session-cookie.server.ts";
import type { Backend } from "#app/site-contract.server.ts";
import type { Database } from "#supabase/database.types.ts";

export interface LiveSession {
  id: string;
  token: string;
  /** In milliseconds since 1970. */
  expiresAt: number;
}

const claimsSchema = z.object({ session_id: z.string(), exp: z.number() });

/** Reads the session of a Cookie header, unverified; undefined if it is missing or expired. */
export async function sessionOfCookie(
  name: string,
  header: string,
): Promise<LiveSession | undefined> {
  const session = await readSession(name, readCookies(header));
  if (!session) {
    return undefined;
  }
  const claims = claimsSchema.safeParse(payloadOf(session.access_token)).data;
  if (!claims || claims.exp * 1000 <= Date.now()) {
    return undefined;
  }
  return { id: claims.session_id, token: session.access_token, expiresAt: claims.exp * 1000 };
}

function payloadOf(token: string): unknown {
  try {
    return JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
  } catch {
    return undefined;
  }
}

const timeoutMs = 5000;

/**
 * Whether the authentication service knows the session and the database lets its account read;
 * undefined if one of them does not answer within five seconds.
 */
export async function mayListen(
  { url, publishableKey, fetch }: Backend,
  { token }: LiveSession,
  address: string,
): Promise<boolean | undefined> {
  const signal = AbortSignal.timeout(timeoutMs);
  const client = createClient<Database>(url, publishableKey, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    global: {
      headers: { Authorization: `Bearer ${token}` },
      fetch: (input, init) => untilAborted(signal, fetch(new Request(input, init), { address })),
    },
  });
  const { error: ended } = await client.auth.getUser(token);
  if (ended) {
    return isRefusal(ended.status) ? false : undefined;
  }
  const { data: state, status } = await client.rpc("inbox_state");
  if (state) {
    return state.may_read;
  }
  return isRefusal(status) ? false : undefined;
}

// A 429 does not mean that the session has ended.
const isRefusal = (status: AuthError["status"] = 0) =>
  status >= 400 && status < 500 && status !== 429;
