import { useCallback, useSyncExternalStore } from "react";
import { useRevalidator } from "react-router";

const askAgainAfter = 2000;
const answerWithin = 5000;
const restAfterRefresh = 1000;
const loadWithin = 10_000;

const pause = (time: number) => new Promise<void>((resolve) => setTimeout(resolve, time));

/** Settles once the site answers. */
export async function siteAnswers(): Promise<void> {
  while (!(await answersNow())) {
    setAway(true);
    await pause(askAgainAfter);
  }
  setAway(false);
}

let isAway = false;
const listeners = new Set<() => void>();

function setAway(next: boolean) {
  isAway = next;
  for (const listener of listeners) {
    listener();
  }
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether the site did not answer when it was asked last. */
export function useIsAway(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => isAway,
    () => false,
  );
}

async function answersNow(): Promise<boolean> {
  // A machine that wakes up may ask over a connection that is long dead.
  const signal = AbortSignal.timeout(answerWithin);
  const answer = await fetch("/healthz", { method: "HEAD", signal }).catch(() => undefined);
  return answer?.ok === true;
}

let isWanted = false;
let isUnderWay = false;

/**
 * Asks the page's loaders again, but not before the site answers: React Router takes data that
 * it cannot fetch for an error of the page, in whose place all that was read would be gone.
 * Calls that come meanwhile are answered together, by one more load after this one.
 */
export function useRefresh(): () => void {
  const { revalidate } = useRevalidator();
  return useCallback(() => void refresh(revalidate), [revalidate]);
}

async function refresh(revalidate: () => Promise<void>) {
  isWanted = true;
  if (isUnderWay) {
    return;
  }
  isUnderWay = true;
  try {
    while (isWanted) {
      await siteAnswers();
      isWanted = false;
      await Promise.race([revalidate(), pause(loadWithin)]);
      await pause(restAfterRefresh);
    }
  } finally {
    isUnderWay = false;
  }
}
