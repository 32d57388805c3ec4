import { useEffect, useState } from "react";
import { showToast } from "../../components/toasts.tsx";
import { useRefresh } from "../../lib/reachable.ts";
import type { InboxMessage } from "../../models/inbox.ts";
import { openLiveChannel } from "./live-channel.ts";

// More than the board shows (models/inbox.ts) need not be kept.
const kept = 100;

/**
 * The messages that arrived since the page was loaded. Whatever may have been missed (before
 * the subscription, in a break, in the machine's sleep) the loader reads again.
 * @param loaded what the loader read; another object each time
 */
export function useLiveMessages(loaded: unknown): {
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
        if (message.spam_reason !== null) return;
        setLive((messages) => [message, ...messages]);
        showToast({
          type: "info",
          message: "رسالة جديدة!",
          description: (
            <>
              من <bdi>{message.name}</bdi>
            </>
          ),
        });
      },
      onGap: refresh,
      onLive: setIsLive,
    });
    return close;
  }, [refresh]);

  useEffect(() => {
    const onWakeUp = () => {
      if (document.visibilityState === "visible") refresh();
    };
    const wakeUps = ["focus", "online", "pageshow"] as const;
    for (const wakeUp of wakeUps) addEventListener(wakeUp, onWakeUp);
    document.addEventListener("visibilitychange", onWakeUp);
    return () => {
      for (const wakeUp of wakeUps) removeEventListener(wakeUp, onWakeUp);
      document.removeEventListener("visibilitychange", onWakeUp);
    };
  }, [refresh]);

  return { live, isLive };
}
