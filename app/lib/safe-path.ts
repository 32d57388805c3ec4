// Browsers drop some of these, so that a path could become a host.
const controls = /[\p{Cc}\\]/u;
// A search of 100 Arabic letters takes 600. It is encoded again in headers, and proxies allow 4 kB.
const longestPath = 1000;

/** Returns the path, query and fragment of a target on this origin, or undefined. */
export function safePath(target: string | null, origin: string): string | undefined {
  if (target === null || controls.test(target)) {
    return undefined;
  }
  const url = URL.parse(target, origin);
  if (url?.origin !== origin) {
    return undefined;
  }
  const path = url.pathname + url.search + url.hash;
  // `//host` would be a host; the path of a `blob:` URL has no slash.
  return /^\/(?!\/)/.test(path) && path.length <= longestPath ? path : undefined;
}

/** Adds `next` as a query parameter, unless it is empty or too long. */
export function withNext(path: string, next = ""): string {
  const isKept = next !== "" && next.length <= longestPath;
  return isKept ? `${path}?${new URLSearchParams({ next })}` : path;
}
