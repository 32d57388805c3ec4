import { useEffect } from "react";
import { useSafeRevalidate } from "./use-safe-revalidate.ts";

export const sessionChannel = "session";

/**
 * Synchronizes the tabs of a browser after a sign-in or sign-out: each tab broadcasts its account,
 * and a tab with a different one revalidates.
 * @param account the id of the account that is signed in
 */
export function useSessionSync(account: string | undefined): void {
  const refresh = useSafeRevalidate();
  useEffect(() => {
    const channel = openChannel();
    if (!channel) {
      return;
    }
    channel.postMessage(account);
    channel.addEventListener("message", ({ data }) => {
      if (data !== account) {
        refresh();
      }
    });
    return () => channel.close();
  }, [account, refresh]);
}

function openChannel(): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(sessionChannel);
  } catch {
    // Firefox has none where it blocks cookies, without which no tab is signed in.
    return undefined;
  }
}
