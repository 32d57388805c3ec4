import { useEffect } from "react";

const tryEvery = 2000;
/** A page that was just read anew waits: reading it did not help. */
const restAfterReload = 30_000;

/**
 * Loads the page anew once the site answers again. For an open page whose data could not be
 * fetched: React Router takes that for an error of the page, and would stay with it.
 */
export function useReloadWhenReachable(isUnreachable: boolean): void {
  useEffect(() => {
    if (!isUnreachable) return;
    const reload = async () => {
      if (wasJustReloaded()) return;
      const answer = await fetch("/healthz").catch(() => undefined);
      if (answer?.ok) location.reload();
    };
    const timer = setInterval(() => void reload(), tryEvery);
    return () => clearInterval(timer);
  }, [isUnreachable]);
}

function wasJustReloaded(): boolean {
  const [load] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return load?.type === "reload" && performance.now() < restAfterReload;
}
