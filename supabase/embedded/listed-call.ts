import { type Call, calls } from "./calls.ts";

/** What the log says of a request that is not on the list. Tests fail when it does. */
export const unlistedCall = "The site made a call that is not on the list";

interface Pattern {
  call: Call;
  path: RegExp;
  query: [name: string, value: string][];
}

const patterns = new Map<string, Pattern[]>();
for (const call of calls) {
  const { pathname, searchParams } = new URL(call.path, "http://localhost");
  const path = new RegExp(`^${pathname.replaceAll(".", "\\.").replace(":id", "[^/]+")}$`);
  const pattern = { call, path, query: Array.from(searchParams) };
  patterns.set(call.method, [...(patterns.get(call.method) ?? []), pattern]);
}

/** Returns the entry of the list that a request is, undefined for another request. */
export function listedCall({ method, url, headers }: Request): Call | undefined {
  const { pathname, searchParams } = new URL(url);
  const found = patterns.get(method)?.find(({ call, path, query }) => {
    const isSame = query.every(([name, value]) => searchParams.get(name) === value);
    const known = new Set([...query.map(([name]) => name), ...(call.parameters ?? [])]);
    return isSame && path.test(pathname) && [...searchParams.keys()].every((key) => known.has(key));
  });
  return asksMore(headers) ? undefined : found?.call;
}

/** Whether supabase-js asks for another form of the answer: a count, one object, the stored row. */
function asksMore(headers: Headers): boolean {
  const prefer = headers.get("prefer") ?? "";
  return !["", "return=minimal"].includes(prefer) || /vnd\.|csv/.test(headers.get("accept") ?? "");
}

/** Returns a request's method and path for the log, without ids. */
export function withoutIds({ method, url }: Request): { method: string; path: string } {
  const path = new URL(url).pathname.replaceAll(/[\da-f]{8}-[\da-f-]{27}/gi, ":id");
  return { method, path: path.slice(0, 100) };
}
