import type { IncomingMessage } from "node:http";

/**
 * The normalised path and query of a request. Undefined for several Host headers and for an absolute
 * URL of another host (RFC 9112, 3.2).
 */
export function requestTarget(request: IncomingMessage, origin: string): string | undefined {
  const { url = "" } = request;
  if (!hasOneHost(request)) {
    return undefined;
  }
  const parsed = URL.parse(url.startsWith("/") ? `${origin}${url}` : url);
  if (
    !parsed?.pathname.startsWith("/") ||
    (!url.startsWith("/") && !isAddressed(parsed, request))
  ) {
    return undefined;
  }
  return `${parsed.pathname}${parsed.search}`;
}

/**
 * A target whose path stays as it is written. React Router and Hono decode paths, other code compares
 * them: no path of the site has a percent sign, and `/%61dmin` is not `/admin`.
 */
export const undecoded = (target: string): string =>
  target.replace(/^[^?]*/, (path) => path.replaceAll("%", "%25"));

/** With several Host headers Node uses the first, a proxy maybe the last. */
export const hasOneHost = ({ headersDistinct }: IncomingMessage): boolean =>
  (headersDistinct["host"]?.length ?? 0) <= 1;

function isAddressed(target: URL, { headers }: IncomingMessage): boolean {
  const stated = URL.parse(`${target.protocol}//${headers.host}`);
  return (
    /^https?:$/.test(target.protocol) && target.host === stated?.host && target.username === ""
  );
}
