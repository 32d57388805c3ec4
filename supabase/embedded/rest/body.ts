import { RestError } from "./errors.ts";

const maxBytes = 1024 * 1024;

/** Returns the names in a body, which must be one JSON object. Throws RestError 400 or 413. */
export function namesIn(body: string): ReadonlySet<string> {
  if (Buffer.byteLength(body) > maxBytes) {
    throw refused("Request body is larger than 1 MiB", 413);
  }
  const value = parse(body);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw refused("The body must be one object");
  }
  return new Set(Object.keys(value));
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw refused("Empty or invalid json");
  }
}

const refused = (message: string, status = 400) =>
  new RestError(status, { code: "PGRST102", message });
