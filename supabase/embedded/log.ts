/** Ids, codes and counts of an event: never an address, a message or a token. */
export type Details = Record<string, string | number | boolean | undefined>;

/** Takes events, one call each. The console is one. */
export interface Log {
  info(event: string, details?: Details): void;
  /** For what the owner should look at, though the site works. */
  warn(event: string, details?: Details): void;
  error(event: string, details?: Details): void;
}
