import { useEffect, useRef, useState } from "react";
import {
  type DataStrategyResult,
  type MiddlewareFunction,
  useLocation,
  useRevalidator,
} from "react-router";
import { useSafeRevalidate } from "#app/hooks/use-safe-revalidate.ts";
import { boardStore } from "./board-store.ts";

const firstDelay = 1000;
const longestDelay = 30_000;

/**
 * Handles a load whose connection broke like one that failed on the server: the list stays and is
 * loaded again. An error result would replace the page.
 */
export const keepList: MiddlewareFunction<Record<string, DataStrategyResult>> = async (
  { request },
  next,
) => {
  const results = await next();
  for (const [id, result] of Object.entries(results)) {
    const isBroken = result.type === "error" && result.result instanceof TypeError;
    if (isBroken && request.method === "GET" && boardStore.root) {
      result.type = "data";
      result.result = id === "root" ? boardStore.root : {};
    }
  }
  return results;
};

/** Keeps the last data of the loader and the root while a load fails; retries after 1 to 30 s. */
export function useLastRead<Loaded>(loaded: Loaded | undefined, root: unknown): Loaded | undefined {
  const { search } = useLocation();
  const [last, setLast] = useState({ search, loaded });
  if (loaded !== undefined && loaded !== last.loaded) {
    setLast({ search, loaded });
  }
  useEffect(() => {
    boardStore.root = root;
    return () => {
      boardStore.root = undefined;
    };
  }, [root]);
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
