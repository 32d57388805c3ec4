import { expect, test } from "vitest";
import { newTotp } from "./totp.ts";

test.each([
  ["https://xn--bcher-kva.example", "bücher.example"],
  ["https://example.com:8443", "example.com"],
  ["http://[::1]:3000", "[::1]"],
])("an authenticator app shows %s as %s", (siteUrl, issuer) => {
  const { searchParams, pathname } = new URL(newTotp(siteUrl, "a@example.com").uri);
  expect(searchParams.get("issuer")).toBe(issuer);
  expect(decodeURIComponent(pathname)).toBe(`/${issuer}:a@example.com`);
});
