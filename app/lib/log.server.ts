import { createFloodLog, type Details, type Level } from "./flood-log.server.ts";

/** Writes one line for each event, as text or JSON (LOG_FORMAT). */
export const log = {
  info: (event: string, details?: Details) => write("info", event, details),
  /** The site works, but the owner should act. */
  warn: (event: string, details?: Details) => write("warn", event, details),
  error: (event: string, details?: Details) => write("error", event, details),
  /** For events that may come in floods: logs one at once, and then once a minute with the count. */
  often: createFloodLog(write),
};

/** PostgreSQL's SQLSTATE disk_full, which says nothing to an owner. */
const diskFull = "53100";

export const limitReached = (limit: string) => log.often("warn", "A limit was reached", { limit });

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
