import { useEffect, useRef, useState } from "react";
import { askNow, useIsAway, wakeUps } from "#app/hooks/reachable.ts";
import { useSafeRevalidate } from "#app/hooks/use-safe-revalidate.ts";
import type { BoardMessage } from "#app/models/inbox.ts";
import { LiveSocket } from "./live-socket.ts";

const patience = 10_000;

/** Revalidates when messages may have been missed. A new `onChange` function would reconnect. */
export function useLiveSocket(
  isOn: boolean,
  onChange: (message: BoardMessage | undefined) => void,
): { isLive: boolean; isCut: boolean } {
  const [isLive, setIsLive] = useState(false);
  const [isCut, setIsCut] = useState(false);
  const open = useRef<LiveSocket>(undefined);
  const refresh = useSafeRevalidate();
  const isAway = useIsAway();

  useEffect(() => {
    if (!isOn) {
      return;
    }
    const socket = new LiveSocket({
      onState(state) {
        setIsLive(state === "live");
        if (state === "live") {
          askNow();
        }
        if (state !== "opening") {
          refresh();
        }
      },
      onChange,
    });
    open.current = socket;
    return () => {
      socket.close();
      open.current = undefined;
      setIsLive(false);
    };
  }, [isOn, onChange, refresh]);

  useEffect(() => {
    if (!isOn || isLive) {
      return;
    }
    const timer = setTimeout(setIsCut, patience, true);
    return () => {
      clearTimeout(timer);
      setIsCut(false);
    };
  }, [isOn, isLive]);

  useEffect(() => {
    if (!isAway) {
      open.current?.wake();
    }
  }, [isAway]);

  useEffect(() => {
    const onWakeUp = () => {
      if (document.visibilityState === "visible") {
        refresh();
        open.current?.wake();
      }
    };
    const listening = new AbortController();
    for (const wakeUp of wakeUps) {
      addEventListener(wakeUp, onWakeUp, listening);
    }
    return () => listening.abort();
  }, [refresh]);

  return { isLive, isCut };
}
