const quietMs = 60_000;

/** Takes an event, as the site's log and the embedded one do. */
type Write = (event: string, details: { limit: string; count: number }) => void;

/**
 * Returns a function that logs a limit that was reached: at once, and then once a minute with the
 * count, so that a flood of requests does not flood the log.
 */
export function createLimitLog(write: Write): (limit: string) => void {
  const unwritten = new Map<string, number>();

  function tell(limit: string, count: number) {
    write("A limit was reached", { limit, count });
    unwritten.set(limit, 0);
    setTimeout(() => {
      const later = unwritten.get(limit) ?? 0;
      unwritten.delete(limit);
      if (later > 0) {
        tell(limit, later);
      }
    }, quietMs).unref();
  }

  return (limit) => {
    const count = unwritten.get(limit);
    if (count === undefined) {
      tell(limit, 1);
    } else {
      unwritten.set(limit, count + 1);
    }
  };
}
