// Browsers drop some of these, which can turn a path into a host.
const controls = /[\p{Cc}\\]/u;
// A search of 100 Arabic letters has 600. Encoded again it is in headers, for which proxies have 4 kB.
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
  // `//host` is read as a host; a path of `blob:` has no slash.
  return /^\/(?!\/)/.test(path) && path.length <= longestPath ? path : undefined;
}

/** `next` is left out if it is too long. */
export function withNext(path: string, next = ""): string {
  const isKept = next !== "" && next.length <= longestPath;
  return isKept ? `${path}?${new URLSearchParams({ next })}` : path;
}
