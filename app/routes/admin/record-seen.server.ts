import { isFetchedAhead } from "#app/lib/accepts-page.ts";
import { logFault } from "#app/lib/log.server.ts";
import { recordVisit } from "#app/models/inbox-work.server.ts";
import type { BoardMessage } from "#app/models/inbox.ts";
import type { Supabase } from "#app/models/supabase.ts";
import { newestTime, showsNew } from "./fresh.ts";

interface Loaded {
  box: string;
  isNewest: boolean;
  search?: unknown;
  state: { may_read: boolean; seen_at: string | null };
  page: { messages: readonly BoardMessage[] };
}

/**
 * Records the messages of a list as seen, unless the browser fetches the page ahead of time. A hidden board does
 * not read its list, so what arrives meanwhile stays unseen.
 */
export async function recordShown(
  supabase: Supabase,
  request: Request,
  list: Loaded,
): Promise<void> {
  const until = newestTime(list.page.messages);
  const isAhead = isFetchedAhead((name) => request.headers.get(name));
  const isUnseen = list.state.may_read && until > (list.state.seen_at ?? "");
  if (!isAhead && isUnseen && showsNew(list)) {
    await recordVisit(supabase, until).catch((error: unknown) =>
      logFault("A visit of the board was not recorded", error),
    );
  }
}
