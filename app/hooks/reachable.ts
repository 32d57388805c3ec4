import { useSyncExternalStore } from "react";
import { isRouteErrorResponse } from "react-router";

const firstRest = 2000;
const longestRest = 60_000;
const answerWithin = 5000;

/** Whether fetch got no answer, or a proxy or the site said that the site cannot answer. */
export function isUnreachable(error: unknown): boolean {
  if (isRouteErrorResponse(error)) {
    return [502, 503, 504].includes(error.status);
  }
  return isBroken(error);
}

/** Whether a connection broke: fetch throws a TypeError, which React Router wraps if a body broke off. */
export const isBroken = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof Error && error.cause instanceof TypeError);

/** What happens when the network or the user may be back. */
export const wakeUps = ["focus", "online", "pageshow", "visibilitychange"];

/** Resolves when the site answers. Asks more and more rarely, and never while the page is hidden. */
export async function siteAnswers(): Promise<void> {
  for (let time = firstRest; !(await answersNow()); time = Math.min(time * 2, longestRest)) {
    setAway(true);
    await rest(time);
  }
  setAway(false);
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

const heard = new EventTarget();

/** Ends a rest of `siteAnswers`, also of a hidden page: the site was heard of in another way. */
export function askNow(): void {
  heard.dispatchEvent(new Event("heard"));
}

/** Ends early when the network or the user is back. */
async function rest(time: number): Promise<void> {
  const listening = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  await new Promise<void>((resolve) => {
    const end = () => {
      if (document.visibilityState === "visible") {
        resolve();
      }
    };
    timer = setTimeout(end, time);
    for (const wakeUp of wakeUps) {
      addEventListener(wakeUp, end, listening);
    }
    heard.addEventListener("heard", () => resolve(), listening);
  });
  clearTimeout(timer);
  listening.abort();
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

export function useIsAway(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => isAway,
    () => false,
  );
}
