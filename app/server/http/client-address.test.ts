import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { expect, test } from "vitest";
import { clientAddressReader } from "./client-address.ts";

test.each([
  ["127.0.0.1", ["TRUSTED_PROXIES=loopback"]],
  ["10.0.3.7", ["TRUSTED_PROXIES=10.0.3.7"]],
  // Railway's, of RFC 6598.
  ["100.64.0.5", ["TRUSTED_PROXIES=100.64.0.5"]],
  ["203.0.113.9", []],
])("a proxy at %s that does not count is named once, unless it may be a visitor", (peer, named) => {
  const settings: (string | undefined)[] = [];
  const read = clientAddressReader([], (line) => settings.push(line.split(": set ")[1]));
  const socket = Object.defineProperty(new Socket(), "remoteAddress", { value: peer });
  const request = new IncomingMessage(socket);
  request.headers["x-forwarded-for"] = "198.51.100.1";
  expect([read(request), read(request)]).toEqual([peer, peer]);
  expect(settings).toEqual(named);
});
