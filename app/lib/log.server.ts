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

/**
 * The codes of an outage (SQLSTATE or PostgREST's), which every call gets until it ends. A deadline and a
 * gateway have no code.
 */
const outages: [RegExp, string][] = [
  [/^53100$/, "The disk is full: calls to the database fail"],
  [/^$|^(08|57P0[123]|PGRST00)/, "The database does not answer: calls to it fail"],
];

/** Logs a fault of the database or the authentication; those of an outage as one line a minute. */
export function logFailed(event: string, details: Details & { code: string | undefined }): void {
  const [, outage] = outages.find(([codes]) => codes.test(details.code ?? "")) ?? [];
  if (outage === undefined) {
    log.error(event, details);
  } else {
    log.often("error", outage);
  }
}

export const limitReached = (limit: string) => log.often("warn", "A limit was reached", { limit });

/** Logs an error with its stack. A Response was logged where it was made (models/data-of.server.ts). */
export function logFault(event: string, error: unknown): void {
  if (error instanceof Response) {
    return;
  }
  const stack = error instanceof Error ? error.stack : "no Error";
  // Of a call by the site (site-calls.ts).
  if (error instanceof Error && "code" in error && typeof error.code === "string") {
    logFailed(event, { code: error.code, stack });
    return;
  }
  log.error(event, { stack });
}

function write(level: Level, event: string, details: Details = {}): void {
  const stream = level === "info" ? process.stdout : process.stderr;
  const time = new Date().toISOString();
  // Read from the environment, because the pages' bundle has its own copy of this module.
  if (process.env["LOG_FORMAT"] === "json") {
    stream.write(`${JSON.stringify({ time, level, event, ...details })}\n`);
    return;
  }
  const pairs = Object.entries(details).filter(([, value]) => value !== undefined);
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
