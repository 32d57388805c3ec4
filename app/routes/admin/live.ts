import { readInboxState } from "#app/models/inbox.server.ts";
import { getClaims } from "#app/session/claims.server.ts";
import { getLastingSupabase, getSupabase } from "#app/session/clients.server.ts";
import { getAccount } from "#app/session/guards.server.ts";
import { visitorContext } from "#app/session/site-context.server.ts";
import type { Route } from "./+types/live.ts";

/**
 * Answers the handshake of a board's socket (server/live), which has passed the guard of every
 * page. Admits its session if the account may read the inbox.
 */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { admit } = context.get(visitorContext);
  if (!admit) {
    return new Response(null, { status: 404 });
  }
  await getAccount(context);
  const claims = await getClaims(request, context);
  const { data } = await getSupabase(context).auth.getSession();
  if (!claims || !data.session) {
    return new Response(null, { status: 503 });
  }
  const reader = await getLastingSupabase(context);
  const mayRead = async () => (await readInboxState(reader)).may_read;
  if (!(await mayRead())) {
    return new Response(null, { status: 403 });
  }
  admit({
    id: claims["session_id"],
    token: data.session.access_token,
    expiresAt: claims.exp * 1000,
    mayRead,
  });
  return new Response(null, { status: 204 });
}
