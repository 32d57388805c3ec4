import { logFault } from "#app/lib/log.server.ts";

const checkMs = 60_000;

/**
 * Does `work` within a minute after each midnight, and again a minute after it failed. To look at the
 * clock once a minute holds after a summer time's change and a suspension, too.
 * @param dayOf the day of a moment, such as 2026-11-22
 * @returns a function that stops it
 */
export function onEachDay(dayOf: (moment: Date) => string, work: () => Promise<void>): () => void {
  let done = dayOf(new Date());
  const check = async () => {
    const day = dayOf(new Date());
    if (day !== done) {
      await work();
      done = day;
    }
  };
  const timer = setInterval(() => {
    check().catch((error: unknown) => logFault("The prerendered pages were not renewed", error));
  }, checkMs).unref();
  return () => clearInterval(timer);
}
