import { useEffect, useRef } from "react";
import { useReadAgain } from "./read-again.ts";

const sessionChannel = "session";

/**
 * Synchronizes the tabs of a browser after a sign-in or sign-out: each tab broadcasts its account,
 * and a tab that knows a different one reads its page again, even if it is hidden.
 * @param account the id of the account that is signed in
 */
export function useSessionSync(account: string | undefined): void {
  const readAgain = useReadAgain({});
  const known = useRef(account);
  useEffect(() => {
    known.current = account;
    const channel = openChannel();
    if (!channel) {
      return;
    }
    channel.postMessage(account);
    channel.addEventListener("message", ({ data }) => {
      if (data !== known.current) {
        // A page that was cached before the sign-in reports nobody.
        known.current = data ?? known.current;
        readAgain();
      }
    });
    return () => channel.close();
  }, [account, readAgain]);
}

/** Lets all tabs read again who is signed in. It is for a tab that leaves for a page without scripts. */
export function tellSignOut(): void {
  const channel = openChannel();
  channel?.postMessage(undefined);
  channel?.close();
}

function openChannel(): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(sessionChannel);
  } catch {
    // Firefox has none where it blocks cookies, without which no tab is signed in.
    return undefined;
  }
}
