import { expect, test } from "vitest";
import { boardLink, keepsList, listOf } from "./board-url.ts";

const link = (search: string, change?: Record<string, string | undefined>) =>
  boardLink(search, change).search;
const at = (path: string) => new URL(path, "http://localhost");

test("a link changes what it names, keeps the list, and ends the notice", () => {
  expect(link("?box=spam&done=x", { open: "1" })).toBe("?box=spam&open=1");
  expect(link("?box=spam&open=1", { open: undefined })).toBe("?box=spam");
  expect(link("q=a+b&box=any&box=spam", { before: "2026_1" })).toBe(
    "?q=a+b&box=any&box=spam&before=2026_1",
  );
  expect(link("", { box: undefined })).toBe("");
  expect(boardLink("").pathname).toBe("/admin");
});

test("the list is the address without what stands beside it", () => {
  expect(listOf("?open=1&q=a&select=1&box=any&done=x&before=y")).toBe("q=a&box=any&before=y");
});

test.each([
  ["/admin", "/admin?open=1", true],
  ["/admin?open=1", "/admin?open=2&select=1", true],
  ["/admin?box=spam&done=x", "/admin?box=spam", true],
  ["/admin?box=spam", "/admin?box=spam&open=1", true],
  // A reload is of the same address.
  ["/admin?open=1", "/admin?open=1", false],
  ["/admin", "/admin?box=spam", false],
  ["/admin?open=1", "/admin?open=1&before=2026_1", false],
  ["/admin", "/account?open=1", false],
])("from %s to %s keeps the list: %s", (current, next, keeps) => {
  expect(keepsList(at(current), at(next))).toBe(keeps);
});
