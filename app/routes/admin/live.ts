import { data } from "react-router";
import { siteContext } from "../../context.ts";
import { getSupabase } from "../../middleware/supabase.ts";
import type { Route } from "./+types/live.ts";

/**
 * What an open inbox needs to listen: where, and an access token that is good for minutes.
 * The refresh token stays in its cookie; the page comes back here before the token expires.
 */
export async function loader({ context }: Route.LoaderArgs) {
  const { backend } = context.get(siteContext);
  const { data: answer } = await getSupabase(context).auth.getSession();
  const { access_token: token, expires_at: expiresAt = 0 } = answer.session ?? {};
  // By this clock: the browser's may be wrong.
  const secondsLeft = expiresAt - Date.now() / 1000;
  return data(
    { url: backend.publicUrl, key: backend.publishableKey, token, secondsLeft },
    { headers: { "Cache-Control": "private, no-store" } },
  );
}
