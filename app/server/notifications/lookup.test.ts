import type { LookupAddress, lookup } from "node:dns";
import type { LookupFunction } from "node:net";
import { expect, test } from "vitest";
import { isLoopback, isPublic, lookupOnly } from "./lookup.ts";

/** A resolver that knows these addresses alone. */
const resolverOf = (...addresses: string[]) =>
  ((_name: string, _options: object, done: (error: null, found: LookupAddress[]) => void) => {
    const found = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
    done(null, found);
  }) as typeof lookup;

function ask(look: LookupFunction, all = true) {
  const { promise, resolve, reject } = Promise.withResolvers<string | LookupAddress[]>();
  look("push.example", { all }, (error, found) => (error ? reject(error) : resolve(found)));
  return promise;
}

test.each([
  "10.0.0.1",
  "169.254.169.254",
  "198.18.0.1",
  "::1",
  "::ffff:127.0.0.1",
  "64:ff9b::7f00:1",
  "2002:7f00:1::",
  "fd00:ec2::254",
  "fec0::1",
])("%s is not public", async (address) => {
  await expect(ask(lookupOnly(isPublic, resolverOf(address)))).rejects.toMatchObject({
    code: "ENOTFOUND",
  });
});

test.each(["1.1.1.1", "2606:4700::1111"])("%s is public", async (address) => {
  const look = lookupOnly(isPublic, resolverOf("10.0.0.1", address, "::1"));
  expect(await ask(look)).toEqual([{ address, family: address.includes(":") ? 6 : 4 }]);
  expect(await ask(look, false)).toBe(address);
});

test("loopback is this machine alone", async () => {
  const look = lookupOnly(isLoopback, resolverOf("1.1.1.1", "127.0.0.1", "::1", "10.0.0.1"));
  expect(await ask(look)).toMatchObject([{ address: "127.0.0.1" }, { address: "::1" }]);
});
