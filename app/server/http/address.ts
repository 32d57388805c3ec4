import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

const maxTextLength = 64;

/** Returns the IP address in a text that may have a port, brackets or a zone, or undefined. */
export function readAddress(text: string): string | undefined {
  if (text.length > maxTextLength) {
    return undefined;
  }
  const [, bare = text] =
    /^\[([^\]]*)\](?::\d+)?$/.exec(text) ?? /^(\d+(?:\.\d+){3}):\d+$/.exec(text) ?? [];
  const ip = bare.replace(/%.*$/, "");
  const family = isIP(ip);
  if (family === 0) {
    return undefined;
  }
  // URL rewrites an IPv6 address with an IPv4 part, which ipaddr.js supports in few places only.
  return ipaddr
    .process(family === 6 ? new URL(`http://[${ip}]`).hostname.slice(1, -1) : ip)
    .toString();
}

/** Returns a client's key for limits: the IPv4 address, the IPv6 /56, or "unknown". */
export function addressKey(text: string): string {
  const address = readAddress(text);
  if (address === undefined) {
    return "unknown";
  }
  const ip = ipaddr.parse(address);
  return ip instanceof ipaddr.IPv6
    ? `${new ipaddr.IPv6(ip.toByteArray().fill(0, 56 / 8))}/56`
    : address;
}
