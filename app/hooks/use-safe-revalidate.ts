import { useCallback } from "react";
import { useRevalidator } from "react-router";
import { siteAnswers } from "./reachable.ts";

const restAfterRefresh = 1000;
const loadWithin = 10_000;

export const pause = (time: number) => new Promise<void>((resolve) => setTimeout(resolve, time));

let isWanted = false;
let isInFlight = false;
let sending: Promise<unknown> = Promise.resolve();

/** Delays revalidation until a form is answered: it would drop a fetcher's redirect. */
export function refreshAfter(sent: Promise<void>): void {
  sending = Promise.allSettled([sending, sent]);
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
