// Browsers drop some of these from an address, which can turn a path into another host.
const controls = /[\p{Cc}\\]/u;

/**
 * Where a redirect may lead when its target came from outside: the path of an address of
 * this site, with query and fragment. Undefined for anything else.
 * @param target a path, or a whole address
 * @param origin the site's own
 */
export function safePath(target: string | null, origin: string): string | undefined {
  if (target === null || controls.test(target)) {
    return undefined;
  }
  const url = URL.parse(target, origin);
  if (url?.origin !== origin) {
    return undefined;
  }
  const path = url.pathname + url.search + url.hash;
  // A path of `//host` would be read as a host, and one of `blob:` begins with no slash.
  return /^\/(?!\/)/.test(path) ? path : undefined;
}

/** `path` with a note of where to go afterwards. */
export function withNext(path: string, next: string | undefined): string {
  return next === undefined ? path : `${path}?${new URLSearchParams({ next })}`;
}
