import { useEffect, useRef, useState } from "react";
import { href } from "react-router";
import type { BoardMessage } from "#app/models/inbox.ts";
import { newestTime, freshTitle } from "./fresh.ts";

const betweenNotes = 5000;

interface Shown {
  state: { seen_at: string | null; fresh: number };
  /** How many messages have arrived since the board was opened, and which of them its data lack. */
  arrived: number;
  pending: number;
  /** The list with the live messages. */
  messages: readonly BoardMessage[];
  hasOlder: boolean;
  /** The query of the page. */
  here: string;
  /** Whether new messages appear in this list (`showsNew`). */
  isTop: boolean;
}

/**
 * Shows the number of messages since the last visit in the page's title, and reports the visible
 * ones to the site as seen. Returns the time up to which messages were seen before this visit.
 */
export function useFresh(shown: Shown): string {
  const { state, arrived, pending, messages, hasOlder, here, isTop } = shown;
  const newest = newestTime(messages);
  const fresh = state.fresh + pending;
  const now = { here, since: state.seen_at ?? newest, before: fresh - arrived };
  const [visit, setVisit] = useState(now);
  if (visit.here !== here) {
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

  const notedAt = useRef(-betweenNotes);
  const isUnseen = isTop && newest > (state.seen_at ?? "");
  useEffect(() => {
    if (!isUnseen) {
      return;
    }
    const listening = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    const note = () => {
      listening.abort();
      notedAt.current = performance.now();
      const body = new URLSearchParams({ seen: newest });
      // A failed report is repeated after the next load or message.
      fetch(href("/admin/seen"), { method: "POST", body }).catch(() => undefined);
    };
    const noteSoon = () => {
      clearTimeout(timer);
      if (document.visibilityState === "visible") {
        timer = setTimeout(note, notedAt.current + betweenNotes - performance.now());
      }
    };
    document.addEventListener("visibilitychange", noteSoon, listening);
    noteSoon();
    return () => {
      clearTimeout(timer);
      listening.abort();
    };
  }, [isUnseen, newest]);
  return visit.since;
}
