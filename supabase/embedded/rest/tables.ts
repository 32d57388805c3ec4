import { type ApiRequest, canFailOnRows } from "./api-request.ts";
import type { Catalog, Table } from "./catalog.ts";
import { RestError } from "./errors.ts";
import { readPage } from "./request/page.ts";
import { appliedPreferences } from "./request/preferences.ts";
import { readQuery } from "./request/query.ts";
import { bodyOf, pageResponse, respond } from "./response.ts";
import { rowsBody, selected } from "./statement/output.ts";
import { readStatement } from "./statement/read.ts";
import { sql } from "./statement/sql.ts";
import { insert, remove, update } from "./writes.ts";

type Handler = (table: Table, api: ApiRequest) => Promise<Response>;

const handlers: ReadonlyMap<string, Handler> = new Map([
  ["GET", read],
  ["HEAD", read],
  ["POST", insert],
  ["PATCH", update],
  ["DELETE", remove],
  ["OPTIONS", options],
]);

/** Answers a request to a table or view. Rejects with RestError. */
export async function answerTable(
  catalog: Catalog,
  name: string,
  api: ApiRequest,
): Promise<Response> {
  const handle = handlers.get(api.request.method);
  if (!handle) {
    throw new RestError(405, {
      code: "PGRST117",
      message: `Unsupported HTTP method: ${api.request.method}`,
    });
  }
  const table = catalog.tables.get(name);
  if (!table) {
    throw new RestError(404, {
      code: "PGRST205",
      message: `Could not find the table 'public.${name}' in the schema cache`,
    });
  }
  return handle(table, api);
}

async function read(table: Table, api: ApiRequest): Promise<Response> {
  const { request, pairs, media, preferences, run } = api;
  const isHead = request.method === "HEAD";
  const query = readQuery(pairs, false);
  const page = readPage(query, isHead ? null : request.headers.get("range"));
  const output = selected(table, query.select);
  return run({
    statement: readStatement(table, query, {
      output,
      body: isHead ? sql`null` : rowsBody(output, media, media.form === "object"),
      page,
      withTotal: preferences.count === "exact",
    }),
    isReadOnly: true,
    canFailOnRows: canFailOnRows(api),
    respond: (row) =>
      pageResponse(row, page, media, {
        body: isHead ? null : bodyOf(row, media, output.names),
        applied: appliedPreferences(preferences, ["count", "handling"]),
      }),
  });
}

async function options({ canInsert, canUpdate }: Table): Promise<Response> {
  const methods = [
    "OPTIONS,GET,HEAD",
    ...(canInsert ? ["POST"] : []),
    ...(canUpdate ? ["PATCH,DELETE"] : []),
  ];
  return respond(200, { Allow: methods.join(",") }, null);
}
