import { outOfRange, RestError } from "./errors.ts";
import type { Row } from "./execute.ts";
import { chosenHeaders, chosenStatus } from "./overrides.ts";
import type { Media } from "./request/media.ts";
import type { Page } from "./request/page.ts";

/** Responses are private and not cached. Pages of other origins may read them. */
const common = {
  "Cache-Control": "private, no-store",
  Vary: "Authorization, apikey, Accept, Accept-Profile, Prefer, Range",
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers":
    "Content-Range, Content-Type, Location, Preference-Applied, Proxy-Status, Retry-After",
};

/** An answer with the rows of a statement. What the database chose for it comes last. */
export function rowsResponse(
  row: Row,
  status: number,
  headers: Record<string, string>,
  body: string | null,
): Response {
  return respond(
    chosenStatus(row.status) ?? status,
    { ...headers, ...chosenHeaders(row.headers) },
    body,
  );
}

/** Answers with these headers and what every answer has. Empty headers are left out. */
export function respond(
  status: number,
  headers: Record<string, string>,
  body: string | null,
): Response {
  const given = Object.entries({ ...common, ...headers }).filter(([, value]) => value !== "");
  const isEmpty = status === 204 || status === 205 || status === 304;
  // A plain object: the HTTP server sends that without a detour through Headers.
  return new Response(isEmpty ? null : body, { status, headers: Object.fromEntries(given) });
}

/** An error as PostgREST writes it. */
export function errorResponse(error: RestError): Response {
  const { status, code, details, hint, message, headers } = error;
  const proxyStatus = /^\w{1,10}$/.test(code) && { "Proxy-Status": `PostgREST; error=${code}` };
  return jsonResponse(status, { code, details, hint, message }, { ...proxyStatus, ...headers });
}

/** An answer in JSON that has no rows. */
export function jsonResponse(
  status: number,
  body: object,
  headers: Record<string, string> = {},
): Response {
  const json = { "Content-Type": "application/json; charset=utf-8", ...headers };
  return respond(status, json, JSON.stringify(body));
}

/** `first-last/total`; unknown parts are `*`. */
export function contentRange(offset: number, rows: number, total: number | null): string {
  const shown = rows === 0 || total === 0 ? "*" : `${offset}-${offset + rows - 1}`;
  return `${shown}/${total ?? "*"}`;
}

/**
 * Answers a read: 206 if there are more rows than it shows. Fails with 416 for a page behind the
 * last row, and with 406 unless a single object was asked for and found.
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

/** The body that the database made; CSV gets a line with the names above it. */
export function bodyOf(row: Row, media: Media, names: readonly string[]): string {
  if (media.form !== "csv") {
    return row.body ?? "null";
  }
  const quoted = names.map((name) =>
    /[",\r\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name,
  );
  return `${quoted.join(",")}\n${row.body ?? ""}`;
}

/** Fails if a single object was asked for and the rows are not one. */
export function requireSingle(media: Media, rows: number): void {
  if (media.form === "object" && rows !== 1) {
    throw new RestError(406, {
      code: "PGRST116",
      message: "Cannot coerce the result to a single JSON object",
      details: `The result contains ${rows} rows`,
    });
  }
}
