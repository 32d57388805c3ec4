const quietMs = 60_000;

/** Writes an event. Fits the log of the site and that of the embedded Supabase. */
type Write = (event: string, details: { limit: string; count: number }) => void;

/**
 * Returns a function that logs a reached limit: at once, and then once a minute with the count, so
 * that a flood of requests does not flood the log.
 */
export function createLimitLog(write: Write): (limit: string) => void {
  const unreported = new Map<string, number>();

  function report(limit: string, count: number) {
    write("A limit was reached", { limit, count });
    unreported.set(limit, 0);
    setTimeout(() => {
      const later = unreported.get(limit) ?? 0;
      unreported.delete(limit);
      if (later > 0) {
        report(limit, later);
      }
    }, quietMs).unref();
  }

  return (limit) => {
    const count = unreported.get(limit);
    if (count === undefined) {
      report(limit, 1);
    } else {
      unreported.set(limit, count + 1);
    }
  };
}
