import type { IncomingMessage, Server } from "node:http";
import ipaddr from "ipaddr.js";
import proxyAddr from "proxy-addr";
import { StartError } from "#app/lib/start-error.ts";

/**
 * Makes the function that tells who really asks. Without trusted proxies that is the
 * socket's peer; with them, the last X-Forwarded-For entry that no trusted proxy wrote.
 * @param trusted addresses, CIDR ranges or the names loopback, linklocal, uniquelocal
 * @throws {StartError} if an entry is none of these
 */
export function clientAddressReader(
  trusted: readonly string[] = [],
): (request: IncomingMessage) => string {
  const trust = compile(trusted);
  return (request) => proxyAddr(request, trust);
}

/**
 * The part of an address that one client cannot change at will: all of an IPv4 address, the first
 * 64 bits of an IPv6 one. What is no address counts as one and the same.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) {
    return "unknown";
  }
  const ip = ipaddr.process(address);
  return ip instanceof ipaddr.IPv6 ? ip.parts.slice(0, 4).join(":") : ip.toString();
}

/**
 * Makes sure that a connection's peer is known as long as its requests are answered: Node keeps
 * what was read, and can tell it no more once the other side has reset the connection.
 */
export function rememberPeers(server: Server): void {
  server.on("connection", (socket) => {
    if (socket.remoteAddress === undefined) {
      socket.destroy();
    }
  });
}

function compile(trusted: readonly string[]) {
  try {
    return proxyAddr.compile([...trusted]);
  } catch {
    throw new StartError(
      "TRUSTED_PROXIES is wrong: give addresses, ranges such as 10.0.0.0/8, or loopback.",
    );
  }
}
