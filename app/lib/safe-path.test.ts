import { expect, test } from "vitest";
import { safePath, withNext } from "./safe-path.ts";

const origin = "https://site.example";

test.each([
  ["/admin", "/admin"],
  ["/admin?before=a_b#top", "/admin?before=a_b#top"],
  ["", "/"],
  ["https://site.example/account", "/account"],
  ["https://user:secret@site.example/account", "/account"],
  ["/admin?next=//evil.example", "/admin?next=//evil.example"],
  // Without slashes it is relative to a base of the same scheme.
  ["https:evil.example", "/evil.example"],
  ["/رسائل", "/%D8%B1%D8%B3%D8%A7%D8%A6%D9%84"],
])("%j leads to %j", (target, path) => {
  expect(safePath(target, origin)).toBe(path);
});

test.each([
  null,
  "//evil.example",
  "/\\evil.example",
  "/\t/evil.example",
  "\u0000//evil.example",
  "/admin\r\nSet-Cookie: a=b",
  "/.//evil.example",
  "https://evil.example/admin",
  "https://site.example@evil.example/",
  "https://site.example:8443/",
  "https://site.example//evil.example",
  "blob:https://site.example/admin",
  "javascript:alert(1)",
  "https://",
  `/admin?q=${"a".repeat(6000)}`,
])("%j leads nowhere", (target) => {
  expect(safePath(target, origin)).toBeUndefined();
});

test("withNext keeps a target whole, or leaves it out", () => {
  expect(withNext("/auth", "/admin?before=a&b=c")).toBe("/auth?next=%2Fadmin%3Fbefore%3Da%26b%3Dc");
  expect(withNext("/auth", undefined)).toBe("/auth");
  expect(withNext("/auth?signed-in", "/admin")).toBe("/auth?signed-in&next=%2Fadmin");
  expect(withNext("/auth", `/admin?q=${"a".repeat(6000)}`)).toBe("/auth");
});

test("a target that is handed on twice is what it was", () => {
  const search = `/admin?q=${"%D8%A7".repeat(100)}&box=any`;
  const odd = "/admin?q=%26%25D8%A0%2541%FF%20%22%3C%2B%5C%0A";
  for (const target of [search, odd, "/%D8%B1?next=%2F%2Fevil.example"]) {
    const first = withNext("/auth/code", target);
    const second = withNext("/auth", first);
    expect(second).toContain("?next=%2Fauth%2Fcode");
    const nextOf = (path: string) =>
      safePath(new URL(path, origin).searchParams.get("next"), origin) ?? "";
    expect(nextOf(nextOf(second))).toBe(target);
  }
});
