import { useEffect } from "react";
import { useRefresh } from "./use-safe-revalidate.ts";

export const sessionChannel = "session";

/**
 * Keeps the tabs of one browser agreed on whether somebody is signed in: each tells the
 * others what its server told it, and one that hears otherwise asks its own loaders again.
 * @param signedIn what this tab's server said last
 */
export function useSessionSync(signedIn: boolean): void {
  const refresh = useRefresh();
  useEffect(() => {
    const channel = new BroadcastChannel(sessionChannel);
    channel.postMessage(signedIn);
    channel.addEventListener("message", ({ data }) => {
      if (data !== signedIn) {
        refresh();
      }
    });
    return () => channel.close();
  }, [signedIn, refresh]);
}
