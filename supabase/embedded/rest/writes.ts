import { z } from "zod";
import { type ApiRequest, canFailOnRows } from "./api-request.ts";
import type { Column, Table } from "./catalog.ts";
import { badBody, notCovered, RestError } from "./errors.ts";
import type { Row } from "./execute.ts";
import { bounds } from "./request/bounds.ts";
import { refusePage } from "./request/page.ts";
import { readBody, readPayload } from "./request/payload.ts";
import { appliedPreferences, type Preferences } from "./request/preferences.ts";
import { type Query, readQuery } from "./request/query.ts";
import { bodyOf, contentRange, requireSingle, rowsResponse } from "./response.ts";
import { keyTexts, nothing, type Output, rowsBody, selected } from "./statement/output.ts";
import { type Sql, sql } from "./statement/sql.ts";
import {
  conflictTarget,
  deleteStatement,
  insertStatement,
  updateStatement,
} from "./statement/write.ts";

/** Answers POST. Rejects with RestError. */
export async function insert(table: Table, api: ApiRequest): Promise<Response> {
  const { request, pairs, preferences } = api;
  const query = readQuery(pairs, false);
  refusePage(query);
  if (query.conditions.length > 0) {
    throw notCovered("A filter in a request that inserts");
  }
  const payload = readPayload(request, await readBody(request), query.columns);
  const keys = Array.from(table.columns.values()).filter(({ isKey }) => isKey);
  const target = query.onConflict ? conflictTarget(table, query.onConflict) : keys;
  const resolution = target.length > 0 ? preferences.resolution : undefined;
  const conflict = resolution && { target, resolution };
  const insertion = { payload, conflict, fillsDefaults: preferences.missing === "default" };
  const shown = shownOf(table, query, api, keys);
  const isLocated = shown.form === "location";
  return api.run({
    statement: insertStatement(table, query, insertion, shown),
    isReadOnly: false,
    canFailOnRows: canFailOnRows(api),
    respond: (row) =>
      writtenResponse(row, api, shown, {
        status: row.is_new === false ? 200 : 201,
        range: contentRange(0, 0, preferences.count ? row.total : null),
        applied: appliedPreferences({ ...preferences, resolution }, [
          "resolution",
          "missing",
          "return",
          "count",
          "handling",
        ]),
        location: isLocated && row.total === 1 ? locationOf(table, keys, row) : "",
      }),
  });
}

/** Answers PATCH. Rejects with RestError. */
export async function update(table: Table, api: ApiRequest): Promise<Response> {
  const query = readChange(api, "UPDATE");
  const payload = readPayload(api.request, await readBody(api.request), query.columns);
  if (payload.rows > 1) {
    throw badBody("An update takes a single object");
  }
  const shown = shownOf(table, query, api);
  return api.run({
    statement: updateStatement(table, query, payload, shown),
    isReadOnly: false,
    canFailOnRows: canFailOnRows(api),
    respond: (row) => {
      const { count } = api.preferences;
      const range = contentRange(0, row.total ?? 0, count ? row.total : null);
      return changedResponse(row, api, shown, range);
    },
  });
}

/** Answers DELETE. Rejects with RestError. */
export async function remove(table: Table, api: ApiRequest): Promise<Response> {
  const query = readChange(api, "DELETE");
  const shown = shownOf(table, query, api);
  return api.run({
    statement: deleteStatement(table, query, shown),
    isReadOnly: false,
    canFailOnRows: canFailOnRows(api),
    respond: (row) => {
      const range = contentRange(0, 0, api.preferences.count ? row.total : null);
      return changedResponse(row, api, shown, range);
    },
  });
}

/** Throws 21000 without a filter: it would change every row. Hosted projects do the same. */
function readChange({ pairs }: ApiRequest, verb: "UPDATE" | "DELETE"): Query {
  const query = readQuery(pairs, false);
  refusePage(query);
  if (query.conditions.length === 0) {
    throw new RestError(400, { code: "21000", message: `${verb} requires a WHERE clause` });
  }
  return query;
}

/** What the response contains of the written rows. */
interface Shown {
  form: "representation" | "location" | "nothing";
  output: Output;
  body: Sql;
}

function shownOf(
  table: Table,
  query: Query,
  { preferences, media }: ApiRequest,
  keys: readonly Column[] = [],
): Shown {
  if (preferences.return === "representation") {
    const output = selected(table, query.select);
    const body = rowsBody(output, media, media.form === "object");
    return { form: "representation", output, body };
  }
  if (preferences.return === "headers-only" && keys.length > 0) {
    const output = keyTexts(keys);
    return { form: "location", output, body: sql`(json_agg(${output.item}) -> 0)::text` };
  }
  return { form: "nothing", output: nothing, body: sql`null` };
}

function changedResponse(row: Row, api: ApiRequest, shown: Shown, range: string): Response {
  const { maxAffected } = api.preferences;
  requireAtMost(maxAffected, row.total ?? 0);
  return writtenResponse(row, api, shown, {
    status: shown.form === "representation" ? 200 : 204,
    range,
    applied: appliedPreferences(api.preferences, ["return", "count", "handling", "maxAffected"]),
  });
}

interface Written {
  status: number;
  range: string;
  applied: string;
  location?: string;
}

function writtenResponse(
  row: Row,
  { media }: ApiRequest,
  { form, output }: Shown,
  { status, range, applied, location = "" }: Written,
): Response {
  const affected = row.total ?? 0;
  requireSingle(media, affected);
  if (form === "representation" && affected > bounds.rowsOut) {
    throw new RestError(400, {
      code: "PGRST124",
      message: `An answer has ${bounds.rowsOut} rows at most`,
      details: `The query affects ${affected} rows`,
    });
  }
  const body = form === "representation" ? bodyOf(row, media, output.names) : null;
  const headers = {
    "Content-Range": range,
    "Content-Type": body === null ? "" : media.contentType,
    Location: location,
    "Preference-Applied": applied,
  };
  return rowsResponse(row, status, headers, body);
}

/** Throws PGRST124, which rolls back, for more rows than `max-affected` allows. */
export function requireAtMost(most: Preferences["maxAffected"], rows: number): void {
  if (most !== undefined && rows > most) {
    throw new RestError(400, {
      code: "PGRST124",
      message: "Query result exceeds max-affected preference constraint",
      details: `The query affects ${rows} rows`,
    });
  }
}

const keyTextsSchema = z.array(z.string().nullable());

function locationOf({ name }: Table, keys: readonly Column[], row: Row): string {
  const texts = keyTextsSchema.parse(JSON.parse(row.body ?? "[]"));
  const pairs = keys.map(({ name: key }, index): [string, string] => {
    const text = texts[index] ?? null;
    return [key, text === null ? "is.null" : `eq.${text}`];
  });
  return `/${encodeURIComponent(name)}?${new URLSearchParams(pairs)}`;
}
