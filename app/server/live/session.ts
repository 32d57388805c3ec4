import { setTimeout as sleep } from "node:timers/promises";
import { type AuthError, createClient } from "@supabase/supabase-js";
import { z } from "zod";
import type { Database } from "#supabase/database.types.ts";
import type { Backend } from "#app/session/site-context.server.ts";
import { readCookies, readSession } from "#app/session/session-cookie.server.ts";

/** What a socket listens with. */
export interface LiveSession {
  id: string;
  token: string;
  /** When the token expires, in milliseconds since 1970. */
  expiresAt: number;
}

const claimsSchema = z.object({ session_id: z.string(), exp: z.number() });

/**
 * The session in a Cookie header. Nothing in it is proven: see `mayListen`.
 * @returns undefined without a session, and for one whose token has expired
 */
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

const answerWithin = 5000;

/**
 * Whether the inbox is open to the session's account. The authentication service says whether the
 * session is genuine and has not ended, the database whether its account may read.
 * @returns undefined if one of them did not answer within five seconds
 */
export function mayListen(
  backend: Backend,
  session: LiveSession,
  address: string,
): Promise<boolean | undefined> {
  const late = sleep(answerWithin, undefined, { ref: false });
  return Promise.race([askWhether(backend, session, address), late]);
}

async function askWhether(
  { url, publishableKey, fetch }: Backend,
  { token }: LiveSession,
  address: string,
): Promise<boolean | undefined> {
  const client = createClient<Database>(url, publishableKey, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    global: {
      headers: { Authorization: `Bearer ${token}` },
      fetch: (input, init) => fetch(new Request(input, init), { address }),
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

/** A limit that was reached says nothing about the session. */
const isRefusal = (status: AuthError["status"] = 0) =>
  status >= 400 && status < 500 && status !== 429;
