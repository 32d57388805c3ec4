import { useEffect } from "react";
import { siteAnswers } from "./reachable.ts";

const wait = 2000;
/** A page that fails this soon after a reload waits `restAfterReload` before the next one. */
const soon = 10_000;
const restAfterReload = 30_000;

/** Reloads a page whose data could not be fetched: React Router would keep showing the error. */
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
