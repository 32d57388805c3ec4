import { data, href, redirect } from "react-router";
import { logFault } from "#app/lib/log.server.ts";
import { momentSchema } from "#app/models/inbox-forms.server.ts";
import { noteVisit } from "#app/models/inbox-work.server.ts";
import type { BoardMessage } from "#app/models/inbox.ts";
import type { Supabase } from "#app/models/supabase.ts";
import { endOf, showsNew } from "./fresh.ts";

interface Loaded {
  box: string;
  isNewest: boolean;
  search?: unknown;
  state: { may_read: boolean; seen_at: string | null };
  page: { messages: readonly BoardMessage[] };
}

/** Notes what a page without scripts shows; with scripts, the page itself tells (use-fresh.ts). */
export async function noteSeen(supabase: Supabase, request: Request, list: Loaded): Promise<void> {
  const until = endOf(list.page.messages);
  const isPage = request.headers.get("Accept")?.includes("text/html") === true;
  const isUnseen = list.state.may_read && until > (list.state.seen_at ?? "");
  if (isPage && isUnseen && showsNew(list)) {
    await noteVisit(supabase, until).catch((error: unknown) => logFault("Not noted", error));
  }
}

/** Notes what an open page says was looked at; it follows no redirect. */
export async function takeSeen(supabase: Supabase, seen: FormDataEntryValue) {
  const until = momentSchema.safeParse(seen);
  if (!until.success) {
    throw data(null, { status: 400, statusText: "Bad Request" });
  }
  await noteVisit(supabase, until.data);
  return redirect(href("/admin"));
}
