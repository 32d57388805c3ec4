import { useEffect, useState } from "react";
import { href } from "react-router";
import type { BoardMessage } from "#app/models/inbox.ts";
import { endOf, freshTitle } from "./fresh.ts";

const betweenNotes = 5000;
let notedAt = -betweenNotes;

interface Shown {
  state: { seen_at: string | null; fresh: number };
  live: readonly BoardMessage[];
  /** What is in the list, with what arrived live. */
  messages: readonly BoardMessage[];
  hasOlder: boolean;
  /** Which page of which list. */
  here: string;
  /** Whether it shows what is new. */
  isTop: boolean;
}

/**
 * Tells in the page's title how many messages are new since the last visit, and the site which of
 * them were looked at.
 * @returns the moment up to which messages were seen before this visit, which a reload keeps
 */
export function useFresh({ state, live, messages, hasOlder, here, isTop }: Shown): string {
  const newest = endOf(messages);
  const now = { here, since: state.seen_at ?? newest, fresh: state.fresh };
  const [visit, setVisit] = useState(now);
  if (visit.here !== here) {
    setVisit(now);
  }

  const listed = messages.filter(({ created_at: moment }) => moment > visit.since).length;
  const isWhole = listed < messages.length || !hasOlder;
  const known = (isTop ? visit : state).fresh + live.length;
  const count = isTop && isWhole ? listed : known;
  useEffect(() => {
    // Also after each load, which writes the title of its own count.
    document.title = freshTitle(document.title.replace(/^\([^)]*\) /, ""), count);
  });

  const isUnseen = isTop && newest > (state.seen_at ?? "");
  useEffect(() => {
    if (!isUnseen) {
      return;
    }
    const listening = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    const note = () => {
      listening.abort();
      notedAt = performance.now();
      const body = new URLSearchParams({ seen: newest });
      // A later load or message tells it again.
      fetch(href("/admin"), { method: "POST", body, redirect: "manual" }).catch(() => undefined);
    };
    const noteSoon = () => {
      clearTimeout(timer);
      if (document.visibilityState === "visible") {
        timer = setTimeout(note, notedAt + betweenNotes - performance.now());
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
