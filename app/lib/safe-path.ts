import { decoded } from "./decoded.ts";

// Browsers drop some of these, so that a path could become a host.
const controls = /[\p{Cc}\\]/u;
// Headers carry it, perhaps beside a renewed session, and proxies allow 4 kB for all of them
// (tests/security/header-size.test.ts). A page of a search of 100 Arabic letters takes 800.
const longestPath = 850;
const letters = /(?:%[89a-f][\da-f])+/gi;

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
  // Letters are encoded once, however often the path is handed on.
  const params = new URLSearchParams({ next: withLetters(next) });
  const whole = `${path}${path.includes("?") ? "&" : "?"}${params}`;
  return whole.length <= longestPath ? whole : path;
}

/** A path with its letters instead of their percent-encoding. `safePath` encodes them again. */
export const withLetters = (path: string): string => path.replace(letters, decoded);
