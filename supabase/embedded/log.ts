/** Ids, codes and counts of an event. Never an address, a message or a token. */
export type Details = Record<string, string | number | boolean | undefined>;

/** Writes one event per call. */
export interface Log {
  info(event: string, details?: Details): void;
  /** For events that the owner should know about although the site works. */
  warn(event: string, details?: Details): void;
  error(event: string, details?: Details): void;
  /** For events that may come in floods, of which it may write one and then their count. */
  often(level: "info" | "warn" | "error", event: string, details?: Details): void;
}
