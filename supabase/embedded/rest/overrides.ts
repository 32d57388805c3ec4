import { z } from "zod";
import { RestError } from "./errors.ts";

export const isStatus = (status: number) =>
  Number.isInteger(status) && status >= 200 && status <= 599;

/** These headers frame the response or could set a session cookie on the site's origin. */
const refused = new Set([
  "connection",
  "content-length",
  "keep-alive",
  "set-cookie",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);
const headersSchema = z.array(z.record(z.string(), z.string()));

/** Returns the headers that the database may set, without unsafe names and characters. */
export function allowedHeaders(entries: [string, string][]): Record<string, string> {
  return Object.fromEntries(
    entries
      .filter(([name]) => /^[\w-]+$/.test(name) && !refused.has(name.toLowerCase()))
      .map(([name, value]) => [name, value.replaceAll(/[^\t\x20-\x7E]/g, "")]),
  );
}

/** Parses `response.status`. Throws 500 if it is not a status. */
export function statusOverride(setting: string | null): number | undefined {
  if (!setting) {
    return undefined;
  }
  const status = /^\d{3}$/.test(setting) ? Number(setting) : Number.NaN;
  if (!isStatus(status)) {
    throw new RestError(500, {
      code: "PGRST112",
      message: "response.status guc must be a valid status code",
    });
  }
  return status;
}

/** Parses `response.headers`, a list of objects. Throws 500 for anything else. */
export function headerOverrides(setting: string | null): Record<string, string> {
  if (!setting) {
    return {};
  }
  try {
    const list = headersSchema.parse(JSON.parse(setting));
    return allowedHeaders(list.flatMap((headers) => Object.entries(headers)));
  } catch {
    throw new RestError(500, {
      code: "PGRST111",
      message: "response.headers guc must be a JSON array of objects with text values",
    });
  }
}
