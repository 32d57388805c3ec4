// Browsers drop some of these, so that a path could become a host.
const controls = /[\p{Cc}\\]/u;
// A page of a search of 100 Arabic letters takes 800, and three times as much each time that it is
// handed on in another URL. Servers read request lines of 8 kB (nginx, large_client_header_buffers).
const longestPath = 6000;

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

/** Adds `next` as a query parameter, unless the whole is too long. */
export function withNext(path: string, next?: string): string {
  if (!next) {
    return path;
  }
  const params = new URLSearchParams({ next });
  const whole = `${path}${path.includes("?") ? "&" : "?"}${params}`;
  return whole.length <= longestPath ? whole : path;
}
