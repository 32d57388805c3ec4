import { z } from "zod";
import { RestError } from "./errors.ts";

export const isStatus = (status: number) =>
  Number.isInteger(status) && status >= 200 && status <= 599;

/** They frame the answer, or sign somebody in on the site's own origin. */
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

/** The headers that the database may set; what could break out of a header is dropped. */
export function allowedHeaders(entries: [string, string][]): Record<string, string> {
  return Object.fromEntries(
    entries
      .filter(([name]) => /^[\w-]+$/.test(name) && !refused.has(name.toLowerCase()))
      .map(([name, value]) => [name, value.replaceAll(/[^\t\x20-\x7E]/g, "")]),
  );
}

/** Reads `response.status`. Throws 500 if it is no status. */
export function chosenStatus(setting: string | null): number | undefined {
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

/** Reads `response.headers`, a list of objects. Throws 500 for anything else. */
export function chosenHeaders(setting: string | null): Record<string, string> {
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
