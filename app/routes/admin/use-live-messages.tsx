import { useCallback, useEffect, useMemo, useState } from "react";
import { showToast } from "#app/components/toast-store.ts";
import { useSafeRevalidate } from "#app/hooks/use-safe-revalidate.ts";
import { inboxLimits } from "#app/models/inbox-limits.ts";
import type { InboxState } from "#app/models/inbox.server.ts";
import { type BoardMessage, type InboxPage, mergeMessages } from "#app/models/inbox.ts";
import { type Arrival, boardStore } from "./board-store.ts";
import { useLiveSocket } from "./use-live-socket.ts";

interface Loaded {
  page: InboxPage;
  state: InboxState;
}

const nothing: InboxPage = { messages: [], hasOlder: false };

/**
 * Returns the messages since the last load, newest first; the page and the numbers of the boxes with
 * them; and the socket's state. `loaded`: a new object after each load. `takesLive`: whether the list
 * shows new messages.
 */
export function useLiveMessages(loaded: Loaded | undefined, isOpen: boolean, takesLive: boolean) {
  const [arrivals, setArrivals] = useState<readonly Arrival[]>([]);
  const [lastLoaded, setLastLoaded] = useState(loaded);
  const refresh = useSafeRevalidate();
  if (lastLoaded !== loaded) {
    setLastLoaded(loaded);
    setArrivals(arrivals.filter((arrival) => !boardStore.isInLoad(arrival)));
  }

  const onChange = useCallback(
    (message: BoardMessage | undefined) => {
      if (!message) {
        return refresh();
      }
      const arrival = boardStore.arrive(message);
      setArrivals((earlier) => [arrival, ...earlier]);
      showToast({
        type: "info",
        message: "رسالة جديدة!",
        description: (
          <span className="block overflow-clip">
            من <bdi>{message.name}</bdi>
          </span>
        ),
      });
    },
    [refresh],
  );
  const socket = useLiveSocket(isOpen, onChange);

  const [latest] = arrivals;
  // Older ones are no longer shown: the list is reloaded.
  const isFull = arrivals.length >= inboxLimits.board;
  // Also during a navigation, whose load may have missed the message.
  useEffect(() => {
    if (latest && (!takesLive || isFull)) {
      refresh();
    }
  }, [latest, takesLive, isFull, refresh]);

  const list = useMemo(
    () => withLive(loaded, takesLive ? arrivals.map(({ message }) => message) : []),
    [loaded, takesLive, arrivals],
  );
  return { ...socket, ...list };
}

function withLive(loaded: Loaded | undefined, live: readonly BoardMessage[]) {
  if (!loaded) {
    return { live, page: nothing, counts: undefined };
  }
  const { arrived, ...page } = mergeMessages(loaded.page, live);
  const { messages: all, ...state } = loaded.state;
  const counts = { ...state, all: all + arrived, waiting: state.waiting + arrived };
  return { live, page, counts };
}
