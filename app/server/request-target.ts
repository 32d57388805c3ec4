import type { IncomingMessage } from "node:http";

/** A path without dots and codes is normal already; parsing is slow. */
const normal = /^(\/[\w-]+)+$/;

/**
 * The normalised path and query of a request, read relative to `origin`. Undefined with several Host
 * headers or another host's address (RFC 9112, 3.2).
 */
export function requestTarget(request: IncomingMessage, origin: string): string | undefined {
  const { url = "" } = request;
  if (!hasOneHost(request)) {
    return undefined;
  }
  if (normal.test(url)) {
    return url;
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

/** Of several Host headers Node takes the first, a proxy perhaps the last. */
export function hasOneHost({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    if (name.length === 4 && name.toLowerCase() === "host") {
      hosts += 1;
    }
  }
  return hosts <= 1;
}

function isAddressed(target: URL, { headers }: IncomingMessage): boolean {
  const stated = URL.parse(`${target.protocol}//${headers.host}`);
  return (
    /^https?:$/.test(target.protocol) && target.host === stated?.host && target.username === ""
  );
}
