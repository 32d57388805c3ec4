import { domainToUnicode } from "node:url";

/**
 * A URL as people read it, with the domain in its own letters. Links keep the ASCII form. A text that is no
 * URL, such as a variable of a mail's template, stays as it is.
 */
export function readableAddress(url: string): string {
  const hostname = URL.parse(url)?.hostname ?? "";
  return url.replace(hostname, domainToUnicode(hostname) || hostname);
}
