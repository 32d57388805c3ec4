import { useEffect } from "react";
import { siteAnswers } from "./use-safe-revalidate.ts";

const wait = 2000;
/** A page that fails so soon after a reload waits longer for the next. */
const soon = 10_000;
const restAfterReload = 30_000;

/**
 * Reloads the page once the site answers again. For an open page whose data could not be
 * fetched: React Router takes that for an error of the page, and would stay with it.
 */
export function useReloadWhenReachable(isUnreachable: boolean): void {
  useEffect(() => {
    if (!isUnreachable) {
      return;
    }
    let isGone = false;
    const reload = async () => {
      await siteAnswers();
      if (!isGone) {
        location.reload();
      }
    };
    const timer = setTimeout(() => void reload(), failedAfterReload() ? restAfterReload : wait);
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [isUnreachable]);
}

function failedAfterReload(): boolean {
  const [load] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return load?.type === "reload" && performance.now() < soon;
}
