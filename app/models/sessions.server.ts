import type { RouterContextProvider } from "react-router";
import { deviceName } from "#app/lib/device-name.ts";
import { getAnonymousSupabase, getSupabase } from "#app/session/supabase.ts";
import { log } from "#app/lib/log.server.ts";

type Context = Readonly<RouterContextProvider>;

/** The account's sessions, the last used first. @throws if they could not be read */
export async function readSessions(context: Context) {
  const { data, error } = await getSupabase(context).rpc("my_sessions");
  if (error) {
    throw new Error(`The sessions were not read: ${error.code}`);
  }
  return data.map(({ id, user_agent: userAgent, last_used_at: usedAt, is_current: isCurrent }) => ({
    id,
    device: deviceName(userAgent),
    usedAt,
    isCurrent,
  }));
}

export type AccountSession = Awaited<ReturnType<typeof readSessions>>[number];

/** Ends one of the account's sessions; one that is over already is no fault. @throws */
export async function endSession(context: Context, id: string): Promise<void> {
  const { error } = await getSupabase(context).rpc("end_session", { session_id: id });
  if (error) {
    throw new Error(`A session was not ended: ${error.code}`);
  }
}

/** Ends all of the account's sessions but this one. @throws */
export async function endOtherSessions(context: Context): Promise<void> {
  const { error } = await getSupabase(context).auth.signOut({ scope: "others" });
  if (error) {
    throw new Error(`Other sessions were not ended: ${error.code}`);
  }
}

/** The access token of the visitor's session, if there is one. */
export async function getAccessToken(context: Context): Promise<string | undefined> {
  const { data } = await getSupabase(context).auth.getSession();
  return data.session?.access_token;
}

/**
 * Ends the session behind a token that the visitor no longer holds, because another session took
 * its place. A failure is logged: the new session is there all the same.
 */
export async function endReplacedSession(
  context: Context,
  token: string | undefined,
): Promise<void> {
  if (token === undefined) {
    return;
  }
  const { error } = await getAnonymousSupabase(context).auth.admin.signOut(token, "local");
  if (error && error.status !== 403) {
    log.error("A session that was replaced stayed open", { code: error.code });
  }
}
