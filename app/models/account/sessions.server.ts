import { isAuthSessionMissingError } from "@supabase/supabase-js";
import { z } from "zod";
import { deviceName } from "#app/lib/device-name.ts";
import { logFailed } from "#app/lib/log.server.ts";
import { dataOfCall, dataOf, unavailable } from "#app/models/data-of.server.ts";
import { longDate } from "#app/models/date.server.ts";
import type { Supabase } from "#app/models/supabase.ts";
import type { Backend } from "#app/site-contract.server.ts";

/** Reads this session, the others last used, and how many are not listed. @throws {Response} */
export async function readSessions(supabase: Supabase) {
  const rows = dataOf(await supabase.rpc("my_sessions"), "The sessions were not read");
  const sessions = rows.map(
    ({ id, user_agent: userAgent, last_used_at: usedAt, is_current: isCurrent }) => ({
      id,
      device: deviceName(userAgent),
      usedAt,
      date: longDate(usedAt),
      isCurrent,
    }),
  );
  return { sessions, unlisted: Math.max(0, (rows[0]?.total ?? 0) - sessions.length) };
}

export type AccountSession = Awaited<ReturnType<typeof readSessions>>["sessions"][number];

/**
 * Ends a session of the account that has the session `by`, if it exists. The caller must have asked for a
 * proof before it ends another session than `by`: the database does not. @throws {Response}
 */
export async function endSession(
  site: Pick<Backend, "callAsSite">,
  { session, by }: { session: string; by: string },
): Promise<boolean> {
  const asked = site.callAsSite("end_session", { session, by });
  return z.boolean().parse(await dataOfCall(asked, "A session was not ended"));
}

/** Ends all of the account's other sessions. @throws {Response} */
export async function endOtherSessions({ auth }: Supabase): Promise<void> {
  const { error } = await auth.signOut({ scope: "others" });
  if (error) {
    throw unavailable("Other sessions were not ended", error.code);
  }
}

export async function getAccessToken({ auth }: Supabase): Promise<string | undefined> {
  const { data } = await auth.getSession();
  return data.session?.access_token;
}

/** Ends the session that a new sign-in replaced in this browser. A failure is only logged. */
export async function endReplacedSession(
  { auth }: Supabase,
  token: string | undefined,
): Promise<void> {
  if (token === undefined) {
    return;
  }
  const { error } = await auth.admin.signOut(token, "local");
  // It may have ended already: that is a missing session, or 403 for its account or its token.
  if (error && !isAuthSessionMissingError(error) && error.status !== 403) {
    logFailed("A session that was replaced stayed open", { code: error.code });
  }
}
