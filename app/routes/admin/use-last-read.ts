import { useEffect, useRef, useState } from "react";
import { useLocation, useRevalidator } from "react-router";
import { useSafeRevalidate } from "#app/hooks/use-safe-revalidate.ts";
import { listOf } from "./board-url.ts";

const firstDelay = 1000;
const longestDelay = 30_000;

/** Keeps the last data of the loader while a load fails; retries after 1 to 30 s. */
export function useLastRead<Loaded>(loaded: Loaded | undefined): Loaded | undefined {
  const search = listOf(useLocation().search);
  const [last, setLast] = useState({ search, loaded });
  if (loaded !== undefined && loaded !== last.loaded) {
    setLast({ search, loaded });
  }
  useRetry(loaded === undefined);
  return loaded ?? (last.search === search ? last.loaded : undefined);
}

function useRetry(failed: boolean) {
  const { state } = useRevalidator();
  const refresh = useSafeRevalidate();
  const retries = useRef(0);
  useEffect(() => {
    if (!failed) {
      retries.current = 0;
    }
    if (!failed || state !== "idle") {
      return;
    }
    const timer = setTimeout(
      () => {
        retries.current += 1;
        refresh();
      },
      Math.min(firstDelay * 2 ** retries.current, longestDelay),
    );
    return () => clearTimeout(timer);
  }, [failed, state, refresh]);
}
