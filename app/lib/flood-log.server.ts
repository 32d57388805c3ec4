const quietMs = 60_000;

export type Level = "info" | "warn" | "error";
/** Ids, codes and counts. Never an address, a message or a token. */
export type Details = Record<string, string | number | boolean | undefined>;

/**
 * Returns a function that logs an event that may come in floods: at once, and then once a minute with the
 * count.
 */
export function createFloodLog(write: (level: Level, event: string, details: Details) => void) {
  const unreported = new Map<string, number>();

  function report(key: string, count: number, entry: Parameters<typeof write>) {
    const [level, event, details] = entry;
    write(level, event, { ...details, count });
    unreported.set(key, 0);
    setTimeout(() => {
      const later = unreported.get(key) ?? 0;
      unreported.delete(key);
      if (later > 0) {
        report(key, later, entry);
      }
    }, quietMs).unref();
  }

  return (level: Level, event: string, details: Details = {}): void => {
    const key = JSON.stringify([event, details]);
    const count = unreported.get(key);
    if (count === undefined) {
      report(key, 1, [level, event, details]);
    } else {
      unreported.set(key, count + 1);
    }
  };
}
