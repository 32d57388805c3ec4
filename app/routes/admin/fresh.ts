import { arabicNumber } from "#app/lib/arabic-number.ts";
import { boxNames } from "#app/models/boxes.ts";
import type { Scope } from "#app/models/inbox-forms.server.ts";
import { inboxLimits } from "#app/models/inbox-limits.ts";
import type { BoardMessage } from "#app/models/inbox.ts";

/**
 * The `created_at` of a list's newest message; for an empty list the earliest time. It is spelled as the database
 * does, because times are compared as texts.
 */
export const newestTime = ([newest]: readonly BoardMessage[]): string =>
  newest?.created_at ?? "1970-01-01T00:00:00+00:00";

interface List {
  box: string;
  isNewest: boolean;
  search?: unknown;
}

/** Whether new messages appear in a list: on the first page of the board, outside of a search. */
export const showsNew = ({ box, isNewest, search }: List): boolean =>
  isNewest && !search && ["all", "waiting"].includes(box);

const boardName = "لوحة الرسائل";

/** The page's title, with what is shown and how many messages are new. */
export function boardTitle(board?: {
  box: Scope;
  search?: unknown;
  state: { fresh: number };
}): string {
  const { box = "all", search } = board ?? {};
  const place = search ? "بحث" : boxNames[box];
  const name = box === "all" && !search ? boardName : `${place} · ${boardName}`;
  return freshTitle(name, board?.state.fresh ?? 0);
}

/** A page's title with the number of messages since the last visit. */
export function freshTitle(title: string, count: number): string {
  const most = inboxLimits.fresh - 1;
  const number = count > most ? `+${arabicNumber(most)}` : arabicNumber(count);
  return count > 0 ? `(${number}) ${title}` : title;
}

/** Whether a message is new since the last visit and the one below it is not. */
export const isLastFresh = (above: BoardMessage, below: BoardMessage | undefined, since: string) =>
  below !== undefined && above.created_at > since && below.created_at <= since;
