import { catalogSchema } from "#embedded/rest/catalog.ts";
import { RestError } from "#embedded/rest/errors.ts";
import { readPairs } from "#embedded/rest/request/pairs.ts";
import { route } from "#embedded/rest/route.ts";
import type { Statement } from "#embedded/rest/statement/sql.ts";

const column = (name: string, type = "text") => ({
  name,
  sql: `"${name}"`,
  type,
  default: name === "title" ? "'none'::text" : null,
  isKey: name === "id",
});
const columns = [column("id", "bigint"), column("title"), column("tags", "text[]")];
const argument = (name: string, hasDefault: boolean) => ({
  name,
  sql: `"${name}"`,
  type: "jsonb",
  hasDefault,
});
const catalog = catalogSchema.parse({
  tables: [{ name: "books", sql: "public.books", canInsert: true, canUpdate: true, columns }],
  functions: [
    {
      name: "find",
      sql: "public.find",
      isVolatile: false,
      returnsSet: true,
      returnsVoid: false,
      arguments: [argument("q", false), argument("page", true)],
      columns,
    },
  ],
  timeouts: [],
});

/** A request without key and address. */
export interface Asked {
  method?: string;
  path?: string;
  search?: string;
  body?: string;
  prefer?: string;
}

/** Returns the statement or the RestError of a request. Rethrows other errors. */
export async function outcome(asked: Asked): Promise<Statement | RestError> {
  const { method = "GET", path = "/books", search = "", body, prefer = "" } = asked;
  const request = new Request("http://localhost/", {
    method,
    headers: { prefer },
    ...(body !== undefined && { body }),
  });
  request.headers.set("content-type", "application/json");
  let statement: Statement | undefined;
  try {
    await route(catalog, path, {
      request,
      pairs: readPairs(search),
      run: async (work) => {
        statement = work.statement;
        return new Response();
      },
    });
  } catch (error) {
    if (error instanceof RestError && error.status < 500) {
      return error;
    }
    throw error;
  }
  if (!statement) {
    throw new Error("The request ran no statement");
  }
  return statement;
}

/** Returns the text of a request's statement. Throws if the request is rejected. */
export async function textOf(asked: Asked): Promise<string> {
  const made = await outcome(asked);
  if (made instanceof RestError) {
    throw made;
  }
  return made.text;
}
