import { type ApiRequest, canFailOnRows } from "./api-request.ts";
import type { Catalog, Function } from "./catalog.ts";
import { badBody, RestError, tooMuch } from "./errors.ts";
import { bounds } from "./request/bounds.ts";
import { readPage } from "./request/page.ts";
import { readBody, readPayload } from "./request/payload.ts";
import { appliedPreferences } from "./request/preferences.ts";
import { type Query, readQuery } from "./request/query.ts";
import { bodyOf, contentRange, pageResponse, respond, rowsResponse } from "./response.ts";
import { rowsBody, selected, singleValue } from "./statement/output.ts";
import { callStatement, callWithObject, callWithTexts } from "./statement/read.ts";
import type { Sql } from "./statement/sql.ts";
import { requireAtMost } from "./writes.ts";

type Handler = (catalog: Catalog, name: string, api: ApiRequest) => Promise<Response>;

const handlers: ReadonlyMap<string, Handler> = new Map([
  ["GET", callByQuery],
  ["HEAD", callByQuery],
  ["POST", callByBody],
  ["OPTIONS", options],
]);

/** Answers a request to /rpc. Rejects with RestError. */
export async function answerFunction(
  catalog: Catalog,
  name: string,
  api: ApiRequest,
): Promise<Response> {
  const { method } = api.request;
  const handle = handlers.get(method);
  if (!handle) {
    throw new RestError(405, {
      code: "PGRST101",
      message: `Cannot use the ${method} method on RPC`,
    });
  }
  return handle(catalog, name, api);
}

async function callByQuery(catalog: Catalog, name: string, api: ApiRequest): Promise<Response> {
  const query = readQuery(api.pairs, true);
  const called = findOverload(catalog, name, Array.from(query.args.keys()));
  return call(called, callWithTexts(called, query.args), query, api);
}

async function callByBody(catalog: Catalog, name: string, api: ApiRequest): Promise<Response> {
  const query = readQuery(api.pairs, false);
  const text = (await readBody(api.request)).trim();
  const payload = readPayload(api.request, text === "" ? "{}" : text, query.columns);
  if (payload.isArray) {
    throw badBody("The arguments of a function are a single object");
  }
  const called = findOverload(catalog, name, payload.keys);
  return call(called, callWithObject(called, payload.keys, payload.text), query, api);
}

async function options(catalog: Catalog, name: string): Promise<Response> {
  const found = catalog.functions.filter((known) => known.name === name);
  if (found.length === 0) {
    throw notFound(name, []);
  }
  const isVolatile = found.some((known) => known.isVolatile);
  return respond(200, { Allow: isVolatile ? "OPTIONS,POST" : "OPTIONS,GET,HEAD,POST" }, null);
}

async function call(called: Function, args: Sql, query: Query, api: ApiRequest): Promise<Response> {
  const { request, media, preferences, run } = api;
  const isPost = request.method === "POST";
  const page = readPage(query, request.method === "GET" ? request.headers.get("range") : null);
  const rows = selected({ name: called.name, columns: called.columns ?? new Map() }, query.select);
  const output = called.columns ? rows : singleValue;
  if (preferences.maxAffected !== undefined && !called.returnsSet) {
    throw new RestError(400, {
      code: "PGRST128",
      message: "Function must return SETOF or TABLE when max-affected preference is used",
    });
  }
  return run({
    statement: callStatement(called, args, query, {
      output,
      body: rowsBody(output, media, !called.returnsSet || media.form === "object"),
      page,
      withTotal: preferences.count === "exact",
    }),
    isReadOnly: !isPost || !called.isVolatile,
    canFailOnRows: canFailOnRows(api),
    respond: (row) => {
      requireAtMost(preferences.maxAffected, row.shown);
      const applied = appliedPreferences(preferences, ["count", "handling", "maxAffected"]);
      if (called.returnsVoid || (isPost && preferences.return === "minimal")) {
        const range = contentRange(page.offset, row.shown, row.total);
        const headers = { "Content-Range": range, "Preference-Applied": applied };
        return rowsResponse(row, 204, headers, null);
      }
      const body = request.method === "HEAD" ? null : bodyOf(row, media, output.names);
      return pageResponse(row, page, media, { body, applied });
    },
  });
}

/** Returns the overload that takes these arguments. Throws RestError for none or several. */
function findOverload(catalog: Catalog, name: string, names: readonly string[]): Function {
  if (names.length > bounds.arguments) {
    throw tooMuch(`A function takes ${bounds.arguments} arguments at most`);
  }
  const [found, ...others] = catalog.functions.filter(
    (known) =>
      known.name === name &&
      names.every((argument) => known.arguments.has(argument)) &&
      Array.from(known.arguments.values()).every(
        (argument) => argument.hasDefault || names.includes(argument.name),
      ),
  );
  if (!found) {
    throw notFound(name, names);
  }
  if (others.length > 0) {
    const candidates = [found, ...others].map(signature).join(", ");
    throw new RestError(300, {
      code: "PGRST203",
      message: `Could not choose the best candidate function between: ${candidates}`,
      hint: "Try renaming the parameters or the function itself in the database so function overloading can be resolved",
    });
  }
  return found;
}

const signature = ({ name, arguments: given }: Function) =>
  `public.${name}(${Array.from(given.values(), (one) => `${one.name} => ${one.type}`).join(", ")})`;

function notFound(name: string, names: readonly string[]): RestError {
  const sorted = names.toSorted().join(", ");
  const searched =
    names.length === 0
      ? "without parameters"
      : `with parameter${names.length > 1 ? "s" : ""} ${sorted}`;
  return new RestError(404, {
    code: "PGRST202",
    message: `Could not find the function public.${name}${names.length === 0 ? " without parameters" : `(${sorted})`} in the schema cache`,
    details: `Searched for the function public.${name} ${searched}, but no matches were found in the schema cache.`,
  });
}
