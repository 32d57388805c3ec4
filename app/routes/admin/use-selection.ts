import { useCallback, useMemo, useState } from "react";
import type { Box } from "#app/models/boxes.ts";
import type { Scope } from "#app/models/inbox-forms.server.ts";
import type { BoardMessage } from "#app/models/inbox.ts";
import { newestTime } from "./fresh.ts";

export interface Selection {
  ids: ReadonlySet<string>;
  /** Whether the list is for selecting: by the address, or since the first box was checked. */
  isOn: boolean;
  /** Whether all messages of the list are selected. */
  isAll: boolean;
  toggle: (id: string) => void;
  /** Selects all messages of the list, or none if all are. */
  all: () => void;
  clear: () => void;
}

const none: ReadonlySet<string> = new Set();

/** The whole box, if a page shows only its beginning. */
export function wholeOf(
  { box, search, isNewest }: { box: Scope; search?: unknown; isNewest: boolean },
  counts: Record<Box, number> | undefined,
  messages: readonly BoardMessage[],
) {
  const count = box === "any" || search || !isNewest ? 0 : (counts?.[box] ?? 0);
  return count > messages.length ? { count, until: newestTime(messages) } : undefined;
}

/**
 * The selected messages. A message that has left the list is no longer selected.
 * @param isAsked whether the address asks for it
 * @param refused the messages of an action that was refused
 */
export function useSelection(
  messages: readonly BoardMessage[],
  isAsked: boolean,
  refused: readonly string[] = [],
): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(refused));
  const ids = useMemo(
    () => new Set(messages.filter(({ id }) => chosen.has(id)).map(({ id }) => id)),
    [messages, chosen],
  );
  const toggle = useCallback((id: string) => {
    setChosen((last) => {
      const next = new Set(last);
      return next.delete(id) ? next : next.add(id);
    });
  }, []);
  const clear = useCallback(() => setChosen(none), []);
  const isAll = ids.size === messages.length;
  const all = () => setChosen(isAll ? none : new Set(messages.map(({ id }) => id)));
  return { ids, isOn: isAsked || ids.size > 0, isAll, toggle, all, clear };
}
