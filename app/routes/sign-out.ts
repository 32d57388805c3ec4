import { href, redirect } from "react-router";
import { keepForm } from "#app/hooks/keep-form.ts";
import { tellSignOut } from "#app/hooks/use-session-sync.ts";
import { logFailed } from "#app/lib/log.server.ts";
import { endOwnSession } from "#app/models/sessions.server.ts";
import { getClaims, tokenOfCookie } from "#app/session/claims.server.ts";
import { documentWithToast } from "#app/session/redirects.server.ts";
import { getAnonymousSupabase, signOut } from "#app/session/supabase.server.ts";
import { rememberSignOut } from "#app/session/to-sign-in.server.ts";
import type { Route } from "./+types/sign-out.ts";

/** Sign-out is a POST, so that a link, image or prefetch cannot do it. */
export function loader() {
  return redirect(href("/"));
}

export async function action({ request, context }: Route.ActionArgs) {
  const claims = await getClaims(request, context);
  if (claims) {
    rememberSignOut(claims.session_id);
  }
  const token = await tokenOfCookie(request, context);
  const error = await signOut(context);
  const hasEnded =
    !error ||
    (claims && (await endOwnSession(getAnonymousSupabase(context, token), claims.session_id)));
  // The browser is signed out anyway: the cookies are removed.
  if (!hasEnded) {
    logFailed("A session was not ended at its sign-out", { code: error.code });
  }
  return documentWithToast(href("/"), { type: "success", message: "تم تسجيل الخروج" });
}

export const clientAction = (args: Route.ClientActionArgs) => keepForm(args).finally(tellSignOut);
