import { useEffect, useRef } from "react";
import { useRevalidator } from "react-router";
import { useRefresh } from "../../lib/reachable.ts";

const firstDelay = 1000;
const maxRetries = 3;

/** While `failed`, asks the loaders again: three times, after 1, 2 and 4 seconds. */
export function useRetry(failed: boolean): void {
  const { state } = useRevalidator();
  const refresh = useRefresh();
  const retries = useRef(0);
  useEffect(() => {
    if (!failed) retries.current = 0;
    if (!failed || state !== "idle" || retries.current === maxRetries) return;
    const timer = setTimeout(
      () => {
        retries.current += 1;
        refresh();
      },
      firstDelay * 2 ** retries.current,
    );
    return () => clearTimeout(timer);
  }, [failed, state, refresh]);
}
