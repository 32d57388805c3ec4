import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

const longestText = 64;

/** Returns the IP address of a text that may have a port, brackets or a zone, else undefined. */
export function readAddress(text: string): string | undefined {
  if (text.length > longestText) {
    return undefined;
  }
  const [, bare = text] =
    /^\[([^\]]*)\](?::\d+)?$/.exec(text) ?? /^(\d+(?:\.\d+){3}):\d+$/.exec(text) ?? [];
  const ip = bare.replace(/%.*$/, "");
  const family = isIP(ip);
  if (family === 0) {
    return undefined;
  }
  // A URL writes any IPv6 address without dots, which ipaddr.js reads in few places only.
  return ipaddr
    .process(family === 6 ? new URL(`http://[${ip}]`).hostname.slice(1, -1) : ip)
    .toString();
}

/**
 * Returns what limits count by, those of the site too: the IPv4 address, or the first 64 bits of an
 * IPv6 one.
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

/** Returns the /48 of IPv6 around an address key, which is what one customer often holds. */
export function networkKey(key: string): string | undefined {
  return key.endsWith("::/64") ? `${key.split(":", 3).join(":")}::/48` : undefined;
}
