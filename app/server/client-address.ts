import type { IncomingMessage, Server } from "node:http";
import ipaddr from "ipaddr.js";
import proxyAddr from "proxy-addr";
import { StartError } from "#app/lib/start-error.ts";

/**
 * Makes the function that returns the client's address: the peer's, or the last of X-Forwarded-For
 * that no trusted proxy wrote. `trusted` has addresses, ranges, or loopback, linklocal, uniquelocal;
 * `warn` is called once for each reason why visitors seem to have one address.
 * @throws {StartError} for any other entry
 */
export function clientAddressReader(
  trusted: readonly string[] = [],
  warn: (line: string) => void = () => undefined,
): (request: IncomingMessage) => string {
  const trust = rememberLast(compile(trusted));
  const told = new Set<string>();
  return (request) => {
    const fault = proxyFault(request, trust);
    if (fault !== undefined && !told.has(fault)) {
      told.add(fault);
      warn(fault);
    }
    return proxyAddr(request, trust);
  };
}

/** Why the visitors behind a proxy would share their limits, and what to do. */
function proxyFault(
  { socket, headers, url }: IncomingMessage,
  trust: (address: string) => boolean,
): string | undefined {
  const peer = socket.remoteAddress ?? "";
  const isTrusted = trust(peer);
  const isForwarded = headers["x-forwarded-for"] !== undefined;
  // A proxy beside the site; others can send the header as they like.
  if (isForwarded && !isTrusted && ipaddr.isValid(peer)) {
    const range = ipaddr.process(peer).range();
    return ["loopback", "private", "uniqueLocal", "linkLocal"].includes(range)
      ? `X-Forwarded-For from a proxy does not count, so that its visitors share one limit: set TRUSTED_PROXIES=${range === "loopback" ? range : ipaddr.process(peer).toString()}`
      : undefined;
  }
  if (isTrusted && !isForwarded && url !== "/healthz") {
    return "A proxy of TRUSTED_PROXIES sends no X-Forwarded-For, so that its visitors share one limit: let it set that header (.github/nginx.conf shows how)";
  }
  return undefined;
}

/** Whether a request comes from this machine and through no proxy that says so. */
export function isLocal({ socket, headers }: IncomingMessage): boolean {
  const isForwarded = headers["x-forwarded-for"] ?? headers.forwarded ?? headers.via;
  return isForwarded === undefined && /^(127\.|::1$|::ffff:127\.)/.test(socket.remoteAddress ?? "");
}

/** Reads each peer's address at once: Node cannot after the peer has reset the connection. */
export function rememberPeers(server: Server): void {
  server.on("connection", (socket) => {
    if (socket.remoteAddress === undefined) {
      socket.destroy();
    }
  });
}

/** Reading an address is slow, and the peer is mostly one proxy. */
function rememberLast(trust: (address: string) => boolean) {
  let last = { address: "", isTrusted: false };
  return (address: string): boolean => {
    if (address !== last.address) {
      last = { address, isTrusted: trust(address) };
    }
    return last.isTrusted;
  };
}

function compile(trusted: readonly string[]) {
  try {
    const trust = proxyAddr.compile([...trusted]);
    return (address: string) => trust(address, 0);
  } catch {
    throw new StartError(
      "TRUSTED_PROXIES is wrong: give addresses, ranges such as 10.0.0.0/8, or loopback.",
    );
  }
}
