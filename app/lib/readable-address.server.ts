import { domainToUnicode } from "node:url";

/**
 * A URL as people read it: its domain in the letters it is written with. Links keep the ASCII form. What
 * is no URL, such as a variable of a mail's template, stays.
 */
export function readableAddress(url: string): string {
  const hostname = URL.parse(url)?.hostname ?? "";
  return url.replace(hostname, domainToUnicode(hostname) || hostname);
}
