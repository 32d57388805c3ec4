import { describe, expect, it } from "vitest";

import { addressKey } from "./limits.ts";

describe("addressKey", () => {
  it("is the whole of an IPv4 address, however it is written", () => {
    expect(addressKey("192.0.2.7")).toBe("192.0.2.7");
    expect(addressKey("::ffff:192.0.2.7")).toBe("192.0.2.7");
  });

  it("is the first 64 bits of an IPv6 address", () => {
    const same = [
      "2001:db8:1:2::1",
      "2001:DB8:1:2:ffff:ffff:ffff:ffff",
      "2001:0db8:0001:0002::",
      "2001:db8:1:2:3::4%eth0",
    ];
    expect(new Set(same.map(addressKey))).toEqual(new Set(["2001:db8:1:2"]));
    expect(addressKey("2001:db8::1")).toBe("2001:db8:0:0");
    expect(addressKey("::1")).toBe("0:0:0:0");
    expect(addressKey("2001:db8:1:3::1")).not.toBe(addressKey("2001:db8:1:2::1"));
  });
});
