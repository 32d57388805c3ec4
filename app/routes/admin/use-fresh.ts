import { useEffect, useState } from "react";
import type { BoardMessage } from "#app/models/inbox.ts";
import { newestTime, freshTitle } from "./fresh.ts";

interface Shown {
  state: { seen_at: string | null; fresh: number };
  /** How many messages have arrived since the board was opened, and how many of them its data lack. */
  arrived: number;
  pending: number;
  /** The list with the live messages. */
  messages: readonly BoardMessage[];
  hasOlder: boolean;
  /** The query of the page. */
  pageQuery: string;
  /** Whether new messages appear in this list (`showsNew`). */
  isTop: boolean;
}

/**
 * Shows the number of messages since the last visit in the page's title. Returns the time up to which
 * messages were seen before this visit.
 */
export function useFresh(shown: Shown): string {
  const { state, arrived, pending, messages, hasOlder, pageQuery, isTop } = shown;
  const newest = newestTime(messages);
  const fresh = state.fresh + pending;
  const now = { pageQuery, since: state.seen_at ?? newest, before: fresh - arrived };
  const [visit, setVisit] = useState(now);
  if (visit.pageQuery !== pageQuery) {
    setVisit(now);
  }

  const listed = messages.filter(({ created_at: moment }) => moment > visit.since).length;
  const isWhole = listed < messages.length || !hasOlder;
  const ofVisit = isWhole ? listed : Math.max(listed, visit.before + arrived);
  const count = isTop ? ofVisit : fresh;
  useEffect(() => {
    // After each render, because a load resets the title.
    document.title = freshTitle(document.title.replace(/^\([^)]*\) /, ""), count);
  });
  return visit.since;
}
