import { useCallback, useEffect, useState } from "react";
import { showToast } from "#app/components/toast-store.ts";
import { useRefresh } from "#app/hooks/use-safe-revalidate.ts";
import type { InboxMessage } from "#app/models/inbox.ts";
import { useLiveSocket } from "./use-live-socket.ts";

interface Arrival {
  message: InboxMessage;
  /** Its number among all that arrived. */
  order: number;
}

// As many as the board shows (models/inbox.ts). With more, it is loaded again.
const most = 100;

let arrived = 0;
let arrivedBeforeLoad = 0;

/** Notes that a load of the board begins, which reads all that arrived so far. */
export function noteLoad(): void {
  arrivedBeforeLoad = arrived;
}

/**
 * The messages that arrived since the board was loaded, newest first, and the state of the
 * socket. A load replaces all that arrived before it began: what it does not have was deleted.
 * @param loaded what the loader read; another object each time
 * @param isOpen whether the account may read the inbox
 * @param takesLive whether the page shows what arrives; others are loaded again for their counts
 */
export function useLiveMessages(loaded: unknown, isOpen: boolean, takesLive: boolean) {
  const [arrivals, setArrivals] = useState<readonly Arrival[]>([]);
  const [lastLoaded, setLastLoaded] = useState(loaded);
  const refresh = useRefresh();
  if (lastLoaded !== loaded) {
    setLastLoaded(loaded);
    setArrivals(arrivals.filter(({ order }) => order > arrivedBeforeLoad));
  }

  const onChange = useCallback(
    (message: InboxMessage | undefined) => {
      if (!message) {
        return refresh();
      }
      arrived += 1;
      const arrival = { message, order: arrived };
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
  const isFull = arrivals.length >= most;
  // Also while another page is being loaded: the load may have missed it.
  useEffect(() => {
    if (latest && (!takesLive || isFull)) {
      refresh();
    }
  }, [latest, takesLive, isFull, refresh]);

  return { ...socket, live: takesLive ? arrivals.map(({ message }) => message) : [] };
}
