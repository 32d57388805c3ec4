import { href, redirect } from "react-router";
import { redirectWithToast } from "remix-toast";
import { log } from "#app/lib/log.server.ts";
import { getClaims } from "#app/session/guards.server.ts";
import { noteSignOut } from "#app/session/recent-sign-outs.server.ts";
import { signOut } from "#app/session/supabase.server.ts";
import type { Route } from "./+types/sign-out.ts";

/** Signing out is a POST, so that no link, image or prefetch can do it. */
export function loader() {
  return redirect(href("/"));
}

export async function action({ request, context }: Route.ActionArgs) {
  const claims = await getClaims(request, context);
  if (claims) {
    noteSignOut(claims.session_id);
  }
  const error = await signOut(context);
  // The browser is signed out anyway; nobody has the tokens of the session that remains.
  if (error) {
    log.error("A session was not ended at its sign-out", { code: error.code });
  }
  const left = await redirectWithToast(href("/"), { type: "success", message: "تم تسجيل الخروج" });
  // React Router's sign for a load by the browser: nothing of the account stays in the tab's memory.
  left.headers.set("X-Remix-Reload-Document", "true");
  return left;
}
