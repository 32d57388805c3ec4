import { expect, test } from "vitest";
import { smtpFault, withoutAddresses } from "./smtp-fault.ts";

test.each([
  ["550 <sara@shop.example>: no such user", "550 <…>: no such user"],
  ["550 sara@shop.example unknown,\r\n550 see a@b", "550 <…> unknown, 550 see <…>"],
  ["550 <postmaster> refuses", "550 <postmaster> refuses"],
  [`${"a".repeat(299)} sara@shop.example`, `${"a".repeat(299)} `],
])("%j is logged as %j", (reply, logged) => {
  expect(withoutAddresses(reply)).toBe(logged);
});

test.each([
  ["a word", "a"],
  ["brackets", "<"],
  ["addresses", "@<"],
])("a reply of 100 kB of %s does not block", (_kind, part) => {
  const reply = part.repeat(100_000 / part.length);
  const since = performance.now();
  withoutAddresses(reply);
  expect(performance.now() - since).toBeLessThan(500);
});

test("the cause of a socket's fault is logged, too", () => {
  const fault = { code: "ESOCKET", originalCode: "DEPTH_ZERO_SELF_SIGNED_CERT" };
  expect(smtpFault(fault)).toEqual({ code: "ESOCKET", cause: "DEPTH_ZERO_SELF_SIGNED_CERT" });
});
