import type { IncomingMessage } from "node:http";

/**
 * The path and query that a request asks for, as a browser writes them. Undefined if it asks
 * for none, or does not say clearly whose: with two Host headers, or with a whole address of
 * another host (RFC 9112, 3.2).
 * @param origin of the site, to read paths by
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

/** Node takes the first of several Host headers, a proxy in front perhaps the last. */
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
