import type { IncomingMessage } from "node:http";
import ipaddr from "ipaddr.js";
import proxyAddr from "proxy-addr";
import { StartError } from "#app/lib/start-error.ts";
import { readAddress } from "./address.ts";

/** The address of all whose proxy writes it in another way. They share one limit. */
const unreadable = "0.0.0.0";

/**
 * Returns a function that reads the client's address: the peer's, or the last of X-Forwarded-For that
 * is no trusted proxy. `trusted`: addresses, ranges, or loopback, linklocal, uniquelocal. `warn` is
 * called once for each reason why all visitors would share one address.
 * @throws {StartError} for any other entry
 */
export function clientAddressReader(
  trusted: readonly string[],
  warn: (line: string) => void,
): (request: IncomingMessage) => string {
  const trust = compile(trusted);
  const warned = new Set<string>();
  return (request) => {
    const fault = proxyFault(request, trust);
    if (fault !== undefined && !warned.has(fault)) {
      warned.add(fault);
      warn(fault);
    }
    return readAddress(proxyAddr(request, trust)) ?? unreadable;
  };
}

/** Why visitors behind a proxy would share one limit, and what to do about it. */
function proxyFault(
  { socket, headers, url }: IncomingMessage,
  trust: (address: string) => boolean,
): string | undefined {
  const peer = socket.remoteAddress ?? "";
  const isTrusted = trust(peer);
  const isForwarded = headers["x-forwarded-for"] !== undefined;
  // This is only for a proxy in a local network, because anyone can send the header.
  if (isForwarded && !isTrusted && ipaddr.isValid(peer)) {
    const range = ipaddr.process(peer).range();
    return ["loopback", "private", "carrierGradeNat", "uniqueLocal", "linkLocal"].includes(range)
      ? `X-Forwarded-For from a proxy does not count, so that its visitors share one limit: set TRUSTED_PROXIES=${range === "loopback" ? range : ipaddr.process(peer).toString()}`
      : undefined;
  }
  if (isTrusted && !isForwarded && !/^\/(healthz|livez)$/.test(url ?? "")) {
    return "A proxy of TRUSTED_PROXIES sends no X-Forwarded-For, so that its visitors share one limit: let it set that header (.github/nginx.conf shows how)";
  }
  return undefined;
}

/**
 * Whether a request comes from this machine and not through a proxy. A proxy that adds no header
 * passes on the site's name, and so does a page that got this machine's address by DNS rebinding.
 */
export function isLocal({ socket, headers }: IncomingMessage): boolean {
  const isForwarded = headers["x-forwarded-for"] ?? headers.forwarded ?? headers.via;
  return (
    isForwarded === undefined &&
    /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/i.test(headers.host ?? "") &&
    /^(127\.|::1$|::ffff:127\.)/.test(socket.remoteAddress ?? "")
  );
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
