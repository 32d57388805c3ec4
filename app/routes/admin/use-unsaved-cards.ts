import { useState } from "react";
import { type BoardMessage, newestFirst } from "#app/models/inbox.ts";
import type { BoardResult } from "./board-view.server.ts";
import { hasUnsavedNote } from "./note-form.tsx";

/** Adds the cards with unsaved notes whose message left the list (`isGone`). */
export function useUnsavedCards(messages: BoardMessage[], result: BoardResult | undefined) {
  const token = result?.token;
  const state = messages.map(({ id }) => id).join() + token;
  const [last, setLast] = useState({ state, token, messages, gone: messages.slice(0, 0) });
  const ids = new Set(messages.map(({ id }) => id));
  if (state !== last.state) {
    const saved = token === last.token ? undefined : result?.noted;
    const gone = [...last.messages, ...last.gone].filter(
      ({ id }) => !ids.has(id) && id !== saved && hasUnsavedNote(id),
    );
    setLast({ state, token, messages, gone });
  }
  const all = [...messages, ...last.gone.filter(({ id }) => !ids.has(id))].toSorted(newestFirst);
  return all.map((message) => ({ message, isGone: !ids.has(message.id) }));
}
