import { expect, test } from "vitest";
import { addressKey, readAddress } from "./address.ts";

test("an IPv4 address counts whole, however it is written", () => {
  for (const text of [
    "192.0.2.7",
    "192.0.2.7:5678",
    "::ffff:192.0.2.7",
    "::FFFF:c000:207",
    "[::ffff:192.0.2.7]:443",
  ]) {
    expect([text, addressKey(text)]).toEqual([text, "192.0.2.7"]);
  }
});

test("an IPv6 address counts by its first 56 bits", () => {
  for (const text of [
    "2001:db8:1:200::1",
    "2001:DB8:1:2ff:ffff:ffff:ffff:ffff",
    "2001:0db8:0001:0202::",
    "2001:db8:1:203:3::4%eth0",
    "[2001:db8:1:210::1]",
    "[2001:db8:1:200::1%25eth0]:8080",
  ]) {
    expect([text, addressKey(text)]).toEqual([text, "2001:db8:1:200::/56"]);
  }
  expect(addressKey("2001:db8::1")).toBe("2001:db8::/56");
  expect(addressKey("::1")).toBe("::/56");
  expect(addressKey("2001:db8:1:300::1")).not.toBe(addressKey("2001:db8:1:2ff::1"));
});

test("unreadable addresses count together", () => {
  for (const text of [
    "",
    "unknown",
    "_hidden",
    "0x7f.1",
    "127.1",
    "1.2.3.4.5",
    "1.2.3.4:",
    "[1.2.3.4",
    "12345::",
    `1.2.3.4${" ".repeat(100_000)}`,
  ]) {
    expect([readAddress(text), addressKey(text)]).toEqual([undefined, "unknown"]);
  }
});
