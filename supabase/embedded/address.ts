import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

const longestText = 64;

/**
 * The IP address in a text as proxies write it: with or without port, brackets and zone, IPv4
 * also inside IPv6. Undefined for anything else.
 */
export function readAddress(text: string): string | undefined {
  if (text.length > longestText) {
    return undefined;
  }
  const [, bare = text] =
    /^\[([^\]]*)\](?::\d+)?$/.exec(text) ?? /^(\d+(?:\.\d+){3}):\d+$/.exec(text) ?? [];
  const ip = bare.replace(/%.*$/, "");
  return isIP(ip) ? ipaddr.process(ip).toString() : undefined;
}

/**
 * What limits count by: the part of a client's address that one client cannot change at will,
 * which is all of an IPv4 address and the first 64 bits of an IPv6 one. Clients whose address
 * cannot be read share one key.
 */
export function addressKey(text: string): string {
  const address = readAddress(text);
  if (address === undefined) {
    return "unknown";
  }
  const ip = ipaddr.parse(address);
  return ip instanceof ipaddr.IPv6
    ? `${ip.toNormalizedString().split(":", 4).join(":")}::/64`
    : address;
}
