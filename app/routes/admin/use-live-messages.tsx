import { useEffect, useState } from "react";
import { showToast } from "../../components/toast-store.ts";
import { useRefresh } from "../../lib/reachable.ts";
import type { InboxMessage } from "../../models/inbox.ts";
import { openLiveChannel } from "./live-channel.ts";

// More than the board shows (models/inbox.ts) need not be kept.
const kept = 100;

/**
 * The messages that arrived since the page was loaded. Whatever may have been missed (before
 * the subscription, in a break, in the machine's sleep) the loader reads again.
 * @param loaded what the loader read; another object each time
 * @param takesLive whether the page shows what arrives; another is loaded again for its counts
 */
export function useLiveMessages(
  loaded: unknown,
  takesLive: boolean,
): {
  live: readonly InboxMessage[];
  isLive: boolean;
} {
  const [isLive, setIsLive] = useState(false);
  const [live, setLive] = useState<readonly InboxMessage[]>([]);
  const refresh = useRefresh();
  const [lastLoaded, setLastLoaded] = useState(loaded);
  // Not as they arrive: the count of the box goes by all that came since the last load.
  if (lastLoaded !== loaded) {
    setLastLoaded(loaded);
    setLive((messages) => messages.slice(0, kept));
  }

  useEffect(() => {
    const close = openLiveChannel({
      onMessage(message) {
        if (message.spam_signs !== null) return refresh();
        setLive((messages) => [message, ...messages]);
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
      onGap: refresh,
      onLive: setIsLive,
    });
    return close;
  }, [refresh]);

  const [latest] = live;
  // Also on the way from the newest page: whether the load that goes on saw it, nobody knows.
  useEffect(() => {
    if (latest && !takesLive) refresh();
  }, [latest, takesLive, refresh]);

  useEffect(() => {
    const onWakeUp = () => {
      if (document.visibilityState === "visible") refresh();
    };
    const wakeUps = ["focus", "online", "pageshow", "visibilitychange"];
    const listening = new AbortController();
    for (const wakeUp of wakeUps) addEventListener(wakeUp, onWakeUp, listening);
    return () => listening.abort();
  }, [refresh]);

  return { live: takesLive ? live : [], isLive };
}
