import { useEffect } from "react";
import type { BoardMessage } from "#app/models/inbox.ts";

// A longer setTimeout fires at once.
const longestTimer = 2 ** 31 - 1;
// It must be longer than the data took to arrive.
const graceMs = 1000;

/**
 * Reads the board again when the next point of a shown star goes out.
 * @param now when the data were read, by the clock of the server
 */
export function useNextStep(
  messages: readonly BoardMessage[],
  now: string | undefined,
  readAgain: () => void,
): void {
  const [next] = messages.flatMap(({ due }) => due?.next ?? []).toSorted();
  useEffect(() => {
    if (next === undefined || now === undefined) {
      return;
    }
    const left = Date.parse(next) - Date.parse(now) + graceMs;
    const timer = setTimeout(readAgain, Math.min(left, longestTimer));
    return () => clearTimeout(timer);
  }, [next, now, readAgain]);
}
