// Browsers drop some of these, which can turn a path into a host.
const controls = /[\p{Cc}\\]/u;

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
  return /^\/(?!\/)/.test(path) ? path : undefined;
}

export function withNext(path: string, next: string | undefined): string {
  return next === undefined ? path : `${path}?${new URLSearchParams({ next })}`;
}
