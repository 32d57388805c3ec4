import { useCallback, useState } from "react";
import { type BoardMessage, newestFirst } from "#app/models/inbox.ts";

/** A note form reports its message at each change, and whether its text is unsaved. */
export type OnEdit = (message: BoardMessage, isUnsaved: boolean) => void;

/** Adds the messages with unsaved notes that left the list (`isGone`). */
export function useUnsavedRows(messages: BoardMessage[]) {
  const [unsaved, setUnsaved] = useState<ReadonlyMap<string, BoardMessage>>(new Map());
  const onEdit: OnEdit = useCallback((message, isUnsaved) => {
    setUnsaved((last) => {
      if (last.get(message.id) === (isUnsaved ? message : undefined)) {
        return last;
      }
      const others = Array.from(last).filter(([id]) => id !== message.id);
      return new Map(isUnsaved ? [...others, [message.id, message]] : others);
    });
  }, []);
  const ids = new Set(messages.map(({ id }) => id));
  const gone = Array.from(unsaved.values()).filter(({ id }) => !ids.has(id));
  const shown = [...messages, ...gone]
    .toSorted(newestFirst)
    .map((message) => ({ message, isGone: !ids.has(message.id) }));
  return { shown, onEdit };
}
