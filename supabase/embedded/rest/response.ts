import { outOfRange, RestError } from "./errors.ts";
import type { Row } from "./execute.ts";
import { headerOverrides, statusOverride } from "./overrides.ts";
import type { Media } from "./request/media.ts";
import type { Page } from "./request/page.ts";

/** Headers of every response: no caching, readable from every origin. */
const common = {
  "Cache-Control": "private, no-store",
  Vary: "Authorization, apikey, Accept, Accept-Profile, Prefer, Range",
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers":
    "Content-Range, Content-Type, Location, Preference-Applied, Proxy-Status, Retry-After",
};

/** Responds with rows. `response.status` and `response.headers` of the database override. */
export function rowsResponse(
  row: Row,
  status: number,
  headers: Record<string, string>,
  body: string | null,
): Response {
  return respond(
    statusOverride(row.status) ?? status,
    { ...headers, ...headerOverrides(row.headers) },
    body,
  );
}

/** Adds the common headers. Headers with an empty value are left out. */
export function respond(
  status: number,
  headers: Record<string, string>,
  body: string | null,
): Response {
  const given = Object.entries({ ...common, ...headers }).filter(([, value]) => value !== "");
  const isEmpty = status === 204 || status === 205 || status === 304;
  // @hono/node-server sends a plain object without converting it to Headers.
  return new Response(isEmpty ? null : body, { status, headers: Object.fromEntries(given) });
}

/** Returns the error in PostgREST's format. */
export function errorResponse(error: RestError): Response {
  const { status, code, details, hint, message, headers } = error;
  const proxyStatus = /^\w{1,10}$/.test(code) && { "Proxy-Status": `PostgREST; error=${code}` };
  return jsonResponse(status, { code, details, hint, message }, { ...proxyStatus, ...headers });
}

/** Responds with JSON that has no rows. */
export function jsonResponse(
  status: number,
  body: object,
  headers: Record<string, string> = {},
): Response {
  const json = { "Content-Type": "application/json; charset=utf-8", ...headers };
  return respond(status, json, JSON.stringify(body));
}

/** Returns `first-last/total`. Unknown parts are `*`. */
export function contentRange(offset: number, rows: number, total: number | null): string {
  const shown = rows === 0 || total === 0 ? "*" : `${offset}-${offset + rows - 1}`;
  return `${shown}/${total ?? "*"}`;
}

/**
 * Responds to a read with 200, or with 206 if there are more rows. Throws 416 if the offset is past
 * the last row, and 406 if a single object was requested and the rows are not one.
 */
export function pageResponse(
  row: Row,
  page: Page,
  media: Media,
  { body, applied }: { body: string | null; applied: string },
): Response {
  requireSingle(media, row.shown);
  if (row.total !== null && page.offset > row.total) {
    throw outOfRange(
      `An offset of ${page.offset} was requested, but there are only ${row.total} rows.`,
      { "Content-Range": `*/${row.total}` },
    );
  }
  const headers = {
    "Content-Range": contentRange(page.offset, row.shown, row.total),
    "Content-Type": body === null ? "" : media.contentType,
    "Preference-Applied": applied,
  };
  return rowsResponse(row, row.total !== null && row.shown < row.total ? 206 : 200, headers, body);
}

/** Returns the database's body; CSV gets a header line. */
export function bodyOf(row: Row, media: Media, names: readonly string[]): string {
  if (media.form !== "csv") {
    return row.body ?? "null";
  }
  const quoted = names.map((name) =>
    /[",\r\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name,
  );
  return `${quoted.join(",")}\n${row.body ?? ""}`;
}

/** Throws 406 if a single object was requested and the rows are not one. */
export function requireSingle(media: Media, rows: number): void {
  if (media.form === "object" && rows !== 1) {
    throw new RestError(406, {
      code: "PGRST116",
      message: "Cannot coerce the result to a single JSON object",
      details: `The result contains ${rows} rows`,
    });
  }
}
