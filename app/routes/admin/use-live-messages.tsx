import { useCallback, useEffect, useState } from "react";
import { showToast } from "#app/components/toast-store.ts";
import { useSafeRevalidate } from "#app/hooks/use-safe-revalidate.ts";
import type { BoardMessage } from "#app/models/inbox.ts";
import { useLiveSocket } from "./use-live-socket.ts";

interface Arrival {
  message: BoardMessage;
  order: number;
}

// As many as the board shows (models/inbox.ts). With more, it is loaded again.
const most = 100;

let arrived = 0;
let arrivedBeforeLoad = 0;

/** Notes that a load of the board begins. It includes all messages that arrived before. */
export function noteLoad(): void {
  arrivedBeforeLoad = arrived;
}

/**
 * Returns the messages that arrived since the load, newest first, and the state of the socket. A
 * load replaces what arrived before it. `loaded`: a new object each time; `takesLive`: shows them.
 */
export function useLiveMessages(loaded: unknown, isOpen: boolean, takesLive: boolean) {
  const [arrivals, setArrivals] = useState<readonly Arrival[]>([]);
  const [lastLoaded, setLastLoaded] = useState(loaded);
  const refresh = useSafeRevalidate();
  if (lastLoaded !== loaded) {
    setLastLoaded(loaded);
    setArrivals(arrivals.filter(({ order }) => order > arrivedBeforeLoad));
  }

  const onChange = useCallback(
    (message: BoardMessage | undefined) => {
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
