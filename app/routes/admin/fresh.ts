import { arabicNumber } from "#app/lib/arabic-number.ts";
import { inboxLimits } from "#app/models/inbox-limits.ts";
import type { BoardMessage } from "#app/models/inbox.ts";

/** Up to where a list is seen; whatever comes is new to who has seen it empty. */
export const endOf = ([newest]: readonly BoardMessage[]): string =>
  newest?.created_at ?? "1970-01-01T00:00:00Z";

interface List {
  box: string;
  isNewest: boolean;
  search?: unknown;
}

/** Whether a list begins with what comes. */
export const showsNew = ({ box, isNewest, search }: List): boolean =>
  isNewest && !search && ["all", "waiting"].includes(box);

/** The title of a page, with the number of messages since the last visit. */
export function freshTitle(title: string, count: number): string {
  const most = inboxLimits.fresh - 1;
  const number = count > most ? `+${arabicNumber(most)}` : arabicNumber(count);
  return count > 0 ? `(${number}) ${title}` : title;
}

/** Whether a message was seen before, and the one above it was not. */
export const isFirstSeen = (above: BoardMessage | undefined, below: BoardMessage, since: string) =>
  above !== undefined && above.created_at > since && below.created_at <= since;
