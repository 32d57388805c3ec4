/** A call that is answered. */
export interface Call {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** `:id` stands for any segment. A query selects the variant and must be the same. */
  path: string;
  /** Other parameters that the query may have. */
  parameters?: readonly string[];
}

/** The calls that are answered. All others are unknown. */
export interface CallList {
  /** Returns the listed call of a request, or undefined if it is not listed. */
  find(request: Request): Call | undefined;
  /** The functions of schema public. */
  functions: readonly string[];
}

/** What the log says of a request that is not on the list. Tests fail if a log has it. */
export const unlistedCall = "The site made a call that is not on the list";

/** Reads a list of calls. Those below /rest/v1/rpc are functions. */
export function listCalls(calls: readonly Call[]): CallList {
  const patterns = calls.map((call) => {
    const { pathname, searchParams } = new URL(call.path, "http://localhost");
    const path = new RegExp(`^${pathname.replaceAll(".", "\\.").replace(":id", "[^/]+")}$`);
    return { call, path, query: Array.from(searchParams) };
  });
  const byMethod = Map.groupBy(patterns, ({ call }) => call.method as string);
  return {
    find({ method, url, headers }) {
      const { pathname, searchParams } = new URL(url);
      const found = byMethod.get(method)?.find(({ call, path, query }) => {
        const isSame = query.every(([name, value]) => searchParams.get(name) === value);
        const known = new Set([...query.map(([name]) => name), ...(call.parameters ?? [])]);
        return (
          isSame && path.test(pathname) && [...searchParams.keys()].every((key) => known.has(key))
        );
      });
      return asksMore(headers) ? undefined : found?.call;
    },
    functions: calls.flatMap(({ path }) => /^\/rest\/v1\/rpc\/(\w+)$/.exec(path)?.[1] ?? []),
  };
}

/** Whether supabase-js asks for another form of the answer: a count, one object. */
function asksMore(headers: Headers): boolean {
  return headers.has("prefer") || /vnd\.|csv/.test(headers.get("accept") ?? "");
}

/** Returns a request's method and path for the log, without ids. */
export function withoutIds({ method, url }: Request): { method: string; path: string } {
  const path = new URL(url).pathname.replaceAll(/[\da-f]{8}-[\da-f-]{27}/gi, ":id");
  return { method, path: path.slice(0, 100) };
}
