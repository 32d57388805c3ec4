import { expect, test } from "vitest";
import { targetOf } from "./target.ts";

test.each([
  "http://localhost",
  "http://localhost:3000/rest/v1/books",
  "http://localhost/rest/v1/books?select=*&a=eq.b/c",
  "http://localhost/rest/v1/../x?",
  "https://user:word@site.example/a//b?c=?d#e?f",
  "http://[::1]:80/a#?b",
  "http://localhost/%2e%2e/a/%2E?q=%23#/b?c",
  "http://localhost?a#b",
])("%s has the path and query that URL reads", (url) => {
  const { pathname: path, search } = new URL(url);
  const target = targetOf(new Request(url.replace("user:word@", "")));
  // URL drops the question mark of an empty query.
  expect({ ...target, search: target.search.replace(/^\?$/, "") }).toEqual({ path, search });
});
