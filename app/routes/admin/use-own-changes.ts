import { useCallback, useEffect, useRef } from "react";
import { useBusy } from "#app/hooks/use-busy.ts";

const patience = 5000;

/**
 * Counts the events of changed messages against what the page's own actions changed, because the
 * load after an action shows its changes already. Returns the function to call at each event, which
 * calls `refresh` if others changed something.
 * @param own the result of the last action
 */
export function useOwnChanges(
  own: { token: string; count: number } | undefined,
  refresh: () => void,
): () => void {
  const isBusy = useBusy();
  const wasBusy = useRef(isBusy);
  const counted = useRef(own?.token);
  /** The events that came, less the own changes: negative while some are still to come. */
  const balance = useRef(0);
  const settle = useCallback(() => {
    if (balance.current > 0) {
      balance.current = 0;
      refresh();
    }
  }, [refresh]);

  useEffect(() => {
    if (own && own.token !== counted.current) {
      counted.current = own.token;
      balance.current -= own.count;
    }
    wasBusy.current = isBusy;
    if (isBusy) {
      return;
    }
    settle();
    const timer = setTimeout(() => {
      // An event was lost. No later one may be taken for it.
      if (balance.current < 0) {
        balance.current = 0;
        refresh();
      }
    }, patience);
    return () => clearTimeout(timer);
  }, [own, isBusy, settle, refresh]);

  return useCallback(() => {
    balance.current += 1;
    // During an action, what it changes is not known.
    if (!wasBusy.current) {
      settle();
    }
  }, [settle]);
}
