import { useEffect, useEffectEvent, useReducer, useState, useSyncExternalStore } from "react";
import { useFetchers, useNavigation, useRevalidator } from "react-router";

// In milliseconds.
const atMostEvery = 1000;
const longestPause = 30_000;

/**
 * The pauses become longer and are random, so that pages that lost their site at the same time ask it at
 * different times.
 */
const pauseAfter = (failures: number) =>
  Math.min(1000 * 2 ** failures, longestPause) * (1 - Math.random() / 2);

/** The last reading. */
interface Last {
  asked: number;
  data?: unknown;
  at: number;
  failures: number;
}

interface Options {
  /** The data of the page, undefined if they could not be read. */
  data?: unknown;
  /** Whether something is missing that a reading may bring. It is tried until nothing is missing. */
  isMissing?: boolean;
  /** What is tried instead of a reading. */
  instead?: (() => void) | undefined;
}

/**
 * Reads the data of the page again. Returns a function that asks for it: once for all who ask, at most
 * once a second, and not while a link or a form is under way.
 */
export function useReadAgain({ data, isMissing = false, instead }: Options): () => void {
  const { revalidate, state } = useRevalidator();
  const navigation = useNavigation();
  const fetchers = useFetchers();
  const isFree = state === "idle" && navigation.state === "idle" && fetchers.length === 0;
  const [asked, ask] = useReducer((count: number) => count + 1, 0);
  // It is a state, because a reading that fails at once may begin and end between two renders.
  const [last, setLast] = useState<Last>({ asked, at: 0, failures: 0 });
  const read = useEffectEvent((failures: number) => {
    setLast({ asked, data: instead ? undefined : data, at: performance.now(), failures });
    if (instead) {
      instead();
    } else {
      void revalidate();
    }
  });
  useEffect(() => {
    const { at, failures } = last;
    // A link or a form ends a reading, and the old data stay.
    const isEnded = data !== undefined && data === last.data;
    const isAsked = asked !== last.asked || isEnded;
    if (!isFree || !(isAsked || isMissing)) {
      return;
    }
    const pause = isAsked ? atMostEvery : pauseAfter(failures);
    const timer = setTimeout(read, at + pause - performance.now(), isAsked ? 0 : failures + 1);
    return () => clearTimeout(timer);
  }, [asked, data, isFree, isMissing, last]);
  return ask;
}

/** Calls back when the network or the user may be back. */
export function useWakeUps(onWakeUp: () => void): void {
  useEffect(() => {
    const listening = new AbortController();
    const wake = () => {
      if (!isHidden()) {
        onWakeUp();
      }
    };
    for (const name of ["focus", "online", "visibilitychange"]) {
      addEventListener(name, wake, listening);
    }
    // A page that was only loaded has its data.
    addEventListener("pageshow", ({ persisted }) => persisted && wake(), listening);
    return () => listening.abort();
  }, [onWakeUp]);
}

const isHidden = () => document.visibilityState === "hidden";

function subscribe(onChange: () => void) {
  addEventListener("visibilitychange", onChange);
  return () => removeEventListener("visibilitychange", onChange);
}

export function useIsHidden(): boolean {
  return useSyncExternalStore(subscribe, isHidden, () => false);
}
