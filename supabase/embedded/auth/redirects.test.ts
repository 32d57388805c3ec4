import { expect, test } from "vitest";
import { createRedirectRule } from "./redirects.ts";

const site = "https://example.com";
const rule = createRedirectRule(site, ["https://other.example/app/", "myapp://open"]);

test("allows the site and what is under an entry of the list", () => {
  for (const url of [
    "https://example.com/a?b=1#c",
    "https://other.example/app",
    "https://other.example/app/deep?x=1",
    "myapp://open/here",
  ]) {
    expect(rule(url)).toBe(url);
  }
});

test("falls back to the site for anything else", () => {
  for (const url of [
    undefined,
    "",
    "/path",
    "//example.com",
    "http://example.com/",
    "https://example.com:8443/",
    "https://example.com.evil.example/",
    "https://example.com@evil.example/",
    "https://user@example.com/",
    String.raw`https:\\evil.example`,
    "https://other.example/application",
    "https://other.example/app/../admin",
    "javascript:alert(1)",
    "data:text/html,x",
    "otherapp://open",
  ]) {
    expect(rule(url)).toBe(site);
  }
});

test("refuses a list with an entry that is no URL", () => {
  expect(() => createRedirectRule(site, ["not a url"])).toThrow(TypeError);
});
