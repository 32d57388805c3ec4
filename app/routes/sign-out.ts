import { href, redirect } from "react-router";
import { holdPage } from "#app/hooks/held-page.ts";
import { keepForm } from "#app/hooks/keep-form.ts";
import { tellSignOut } from "#app/hooks/use-session-sync.ts";
import { logFailed } from "#app/lib/log.server.ts";
import { untilAborted } from "#app/lib/until-aborted.ts";
import { endSession } from "#app/models/account/sessions.server.ts";
import { getClaims } from "#app/session/claims.server.ts";
import { signOut } from "#app/session/clients.server.ts";
import { documentWithToast } from "#app/session/redirects.server.ts";
import { siteContext } from "#app/session/site-context.server.ts";
import type { Route } from "./+types/sign-out.ts";

/** Sign-out is a POST, so that a link, image or prefetch cannot do it. */
export function loader() {
  return redirect(href("/"));
}

export async function action({ request, context }: Route.ActionArgs) {
  const claims = await getClaims(request, context);
  const error = await signOut(context);
  const hasEnded =
    !error ||
    (claims && (await endInDatabase(context.get(siteContext).backend, claims.session_id)));
  // The cookies are removed, so the browser is signed out in any case.
  if (!hasEnded) {
    logFailed("A session was not ended at its sign-out", { code: error.code });
  }
  return documentWithToast(href("/"), { type: "success", message: "تم تسجيل الخروج" });
}

const inDatabaseMs = 2000;

/** Shown if the authentication does not answer. */
const endInDatabase = (site: Parameters<typeof endSession>[0], session: string) =>
  untilAborted(AbortSignal.timeout(inDatabaseMs), endSession(site, { session, by: session })).catch(
    () => false,
  );

/**
 * Holds the page, so that nothing else leaves it meanwhile. The other tabs learn of the sign-out when the next page
 * replaces this one: they must not take its toast.
 */
export async function clientAction(args: Route.ClientActionArgs) {
  const letGo = holdPage();
  addEventListener("pagehide", tellSignOut, { once: true });
  const kept = await keepForm(args);
  letGo();
  return kept;
}
