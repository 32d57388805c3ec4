import { useEffect } from "react";
import { useSafeRevalidate } from "./use-safe-revalidate.ts";

export const sessionChannel = "session";

/**
 * Keeps the tabs of one browser agreed on who is signed in: each sends the others what its server
 * said, and a tab that receives something else reads its own loaders again.
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
