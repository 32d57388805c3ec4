import { createLimitLog } from "#supabase/shared/limit-log.ts";

/** Ids, codes and counts. Never an address, a message or a token. */
type Details = Record<string, string | number | boolean | undefined>;
type Level = "info" | "warn" | "error";

/** Writes one line for each event, as text or JSON (LOG_FORMAT). */
export const log = {
  info: (event: string, details?: Details) => write("info", event, details),
  /** The site works, but the owner should act. */
  warn: (event: string, details?: Details) => write("warn", event, details),
  error: (event: string, details?: Details) => write("error", event, details),
};

/** PostgreSQL's SQLSTATE disk_full, which says nothing to an owner. */
const diskFull = "53100";

export const limitReached = createLimitLog(log.warn);

/** Logs an error with its stack. A Response was logged where it was made (models/data-of.server.ts). */
export function logFault(event: string, error: unknown): void {
  if (error instanceof Response) {
    return;
  }
  log.error(event, { stack: error instanceof Error ? error.stack : "no Error" });
}

function write(level: Level, event: string, details: Details = {}): void {
  const stream = level === "info" ? process.stdout : process.stderr;
  const said = details["code"] === diskFull ? { ...details, reason: "the disk is full" } : details;
  const time = new Date().toISOString();
  // Read from the environment, because the pages' bundle has its own copy of this module.
  if (process.env["LOG_FORMAT"] === "json") {
    stream.write(`${JSON.stringify({ time, level, event, ...said })}\n`);
    return;
  }
  const pairs = Object.entries(said).filter(([, value]) => value !== undefined);
  const words = [time, level.padEnd(5), oneLine(event), ...pairs.map(pair)];
  stream.write(`${words.join(" ")}\n`);
}

function pair([name, value]: [string, Details[string]]): string {
  const text = oneLine(String(value));
  return `${name}=${/^[^\s"=]+$/.test(text) ? text : JSON.stringify(text)}`;
}

/** Replaces control characters, which a terminal would execute. */
function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, " | ").replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, "\u{FFFD}");
}
