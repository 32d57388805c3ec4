/**
 * Returns path and query of a Request's URL. It does not parse the URL, which is slow: a Request
 * has normalized it already.
 */
export function targetOf({ url }: Pick<Request, "url">): { path: string; search: string } {
  const path = url.indexOf("/", url.indexOf("//") + 2);
  const hash = url.indexOf("#", path);
  const end = hash === -1 ? url.length : hash;
  const query = url.indexOf("?", path);
  const pathEnd = query === -1 || query > end ? end : query;
  return { path: url.slice(path, pathEnd), search: url.slice(pathEnd, end) };
}
