import type { Log } from "#embedded/log.ts";

const ignore = () => undefined;

export const silentLog: Log = { info: ignore, warn: ignore, error: ignore, often: ignore };

/** Records warnings and errors as event and details: `A mail could not be sent EAUTH`. */
export function recordingLog(lines: string[]): Log {
  const record: Log["info"] = (event, details = {}) =>
    void lines.push([event, ...Object.values(details)].join(" ").trim());
  return {
    info: ignore,
    warn: record,
    error: record,
    often: (_, event, details) => record(event, details),
  };
}
