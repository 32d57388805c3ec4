import { useEffect } from "react";
import { useRefresh } from "./reachable.ts";

const channelName = "session";

/**
 * Keeps the tabs of one browser agreed on whether somebody is signed in: each tells the
 * others what its server told it, and one that hears otherwise asks its own loaders again.
 * @param signedIn what this tab's server said last
 */
export function useSessionSync(signedIn: boolean): void {
  const refresh = useRefresh();
  useEffect(() => {
    const channel = new BroadcastChannel(channelName);
    channel.postMessage(signedIn);
    channel.addEventListener("message", ({ data }) => {
      if (data !== signedIn) refresh();
    });
    return () => channel.close();
  }, [signedIn, refresh]);
}

/**
 * The same for /auth before any framework script: a session that appears leads to the inbox. Not
 * by reload(), which would send a refused form again.
 */
export const sessionScript = `new BroadcastChannel("${channelName}").onmessage=e=>{e.data&&location.pathname=="/auth"&&location.replace(location.pathname+location.search)}`;
