import { lookup } from "node:dns";
import type { LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";
import { readAddress } from "#app/server/http/address.ts";

type Address = ReturnType<typeof ipaddr.parse>;

/** A connection's `lookup` that returns allowed addresses only (SSRF); else it fails with ENOTFOUND. */
export function lookupOnly(
  isAllowed: (address: Address) => boolean,
  resolve: typeof lookup = lookup,
): LookupFunction {
  return (hostname, options, done) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      const allowed = (found ?? []).filter(({ address }) => {
        const ip = readAddress(address);
        return ip !== undefined && isAllowed(ipaddr.parse(ip));
      });
      const [first] = allowed;
      if (error || first === undefined) {
        const refusal = Object.assign(new Error("No address is allowed"), { code: "ENOTFOUND" });
        done(error ?? refusal, "");
      } else if (options.all) {
        done(null, allowed);
      } else {
        done(null, first.address, first.family);
      }
    });
  };
}

export const isLoopback = (address: Address) => address.range() === "loopback";

const globalUnicast = ipaddr.IPv6.parse("2000::");
// Reserved for network benchmarks (RFC 2544).
const benchmarks = ipaddr.IPv4.parse("198.18.0.0");

export const isPublic = (address: Address) =>
  address.range() === "unicast" &&
  (address instanceof ipaddr.IPv6
    ? address.match(globalUnicast, 3)
    : !address.match(benchmarks, 15));
