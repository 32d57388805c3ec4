import { useCallback, useSyncExternalStore } from "react";
import { useRevalidator } from "react-router";

const firstRest = 2000;
const longestRest = 60_000;
const answerWithin = 5000;
const restAfterRefresh = 1000;
const loadWithin = 10_000;

export const pause = (time: number) => new Promise<void>((resolve) => setTimeout(resolve, time));

/** Resolves when the site answers. Asks more and more rarely, and never while the page is hidden. */
export async function siteAnswers(): Promise<void> {
  for (let time = firstRest; !(await answersNow()); time = Math.min(time * 2, longestRest)) {
    setAway(true);
    await rest(time);
  }
  setAway(false);
}

/** Asks now if the page waits for the site: it was heard of in another way. Not while hidden. */
export let askNow = () => {};

/** Ends early when the network or the user is back. */
async function rest(time: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  askNow = () => {
    if (document.visibilityState === "visible") {
      resolve();
    }
  };
  const timer = setTimeout(askNow, time);
  const listening = new AbortController();
  for (const wakeUp of wakeUps) {
    addEventListener(wakeUp, askNow, listening);
  }
  await promise;
  clearTimeout(timer);
  listening.abort();
}

/** What happens when the network or the user may be back. */
export const wakeUps = ["focus", "online", "pageshow", "visibilitychange"];

let isAway = false;
const listeners = new Set<() => void>();

function setAway(next: boolean) {
  isAway = next;
  // For components/offline-alert.tsx.
  document.documentElement.toggleAttribute("data-away", next);
  for (const listener of listeners) {
    listener();
  }
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useIsAway(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => isAway,
    () => false,
  );
}

async function answersNow(): Promise<boolean> {
  // After the machine slept, the connection may be dead.
  const signal = AbortSignal.timeout(answerWithin);
  try {
    const answer = await fetch("/healthz", { signal });
    // Not the status: while nobody can sign in or the disk is full, messages can be read.
    const health: { database?: unknown } = await answer.json();
    return health.database === "ok";
  } catch {
    // Also for the page of a proxy.
    return false;
  }
}

let isWanted = false;
let isInFlight = false;
let sending = Promise.resolve();

/** Delays revalidation until a form is answered: it would drop a fetcher's redirect. */
export function refreshAfter(sent: Promise<void>): void {
  sending = sent;
}

/** Revalidates once the site can read messages: a failed load would replace the page. Calls are coalesced. */
export function useSafeRevalidate(): () => void {
  const { revalidate } = useRevalidator();
  return useCallback(() => void refresh(revalidate), [revalidate]);
}

async function refresh(revalidate: () => Promise<void>) {
  isWanted = true;
  if (isInFlight) {
    return;
  }
  isInFlight = true;
  try {
    while (isWanted) {
      await siteAnswers();
      await sending;
      isWanted = false;
      await Promise.race([revalidate(), pause(loadWithin)]);
      await pause(restAfterRefresh);
    }
  } finally {
    isInFlight = false;
  }
}
