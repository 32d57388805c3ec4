import { href, redirect } from "react-router";
import { momentSchema } from "#app/models/inbox-forms.server.ts";
import { recordVisit } from "#app/models/inbox-work.server.ts";
import { getSupabase } from "#app/session/supabase.server.ts";
import type { Route } from "./+types/seen.ts";

export const loader = () => redirect(href("/admin"));

/** Records what an open board reports as seen (use-fresh.ts). */
export async function action({ request, context }: Route.ActionArgs) {
  const form = await request.formData();
  const until = momentSchema.safeParse(form.get("seen"));
  if (!until.success) {
    return new Response(null, { status: 400 });
  }
  await recordVisit(getSupabase(context), until.data);
  return new Response(null, { status: 204 });
}
