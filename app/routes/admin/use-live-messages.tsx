import { useEffect, useState } from "react";
import { useRevalidator } from "react-router";
import { showToast } from "../../components/toasts.tsx";
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
  const { revalidate } = useRevalidator();
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
      onGap: () => void revalidate(),
      onLive: setIsLive,
    });
    return close;
  }, [revalidate]);

  useEffect(() => {
    const refresh = () => {
      if (document.visibilityState === "visible") void revalidate();
    };
    const wakeUps = ["focus", "online", "pageshow"] as const;
    for (const wakeUp of wakeUps) addEventListener(wakeUp, refresh);
    document.addEventListener("visibilitychange", refresh);
    return () => {
      for (const wakeUp of wakeUps) removeEventListener(wakeUp, refresh);
      document.removeEventListener("visibilitychange", refresh);
    };
  }, [revalidate]);

  return { live, isLive };
}
