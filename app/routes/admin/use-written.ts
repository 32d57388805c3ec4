import { useState } from "react";
import { type BoardMessage, newestFirst } from "#app/models/inbox.ts";
import type { BoardNotice } from "./board-view.server.ts";
import { isBeingWritten } from "./note-form.tsx";

/** Keeps the cards whose note is being written when their message leaves the list. */
export function useWritten(messages: BoardMessage[], notice: BoardNotice | undefined) {
  const state = messages.map(({ id }) => id).join() + notice?.token;
  const [last, setLast] = useState({ state, messages, gone: messages.slice(0, 0) });
  const ids = new Set(messages.map(({ id }) => id));
  if (state !== last.state) {
    const gone = [...last.messages, ...last.gone].filter(
      ({ id }) => !ids.has(id) && id !== notice?.noted && isBeingWritten(id),
    );
    setLast({ state, messages, gone });
  }
  const all = [...messages, ...last.gone.filter(({ id }) => !ids.has(id))].toSorted(newestFirst);
  return all.map((message) => ({ message, isGone: !ids.has(message.id) }));
}
