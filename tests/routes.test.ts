import type { RouteConfigEntry } from "@react-router/dev/routes";
import { expect, test } from "vitest";
import routes from "#app/routes.ts";
import { actions, pages } from "#tests/support/routes.ts";

// Downloads, a socket, the page of a refused form, and unknown paths: no pages of their own.
const others = new Set(["admin/export", "admin/live", "refused", "*"]);

const pathsOf = (entries: RouteConfigEntry[]): string[] =>
  entries.flatMap(({ path, children }) => [
    ...(path === undefined || others.has(path) ? [] : [path]),
    ...pathsOf(children ?? []),
  ]);

test("every route is in the lists of tests/support/routes.ts, which the tests of security go through", async () => {
  const listed = [...pages, ...actions].map(({ path }) => path.split("?")[0] ?? "");
  const missing = pathsOf(await routes).filter((path) => {
    const shape = new RegExp(`^/?${path.replaceAll(/:\w+/g, "[^/]+")}$`);
    return !listed.some((one) => shape.test(one));
  });
  expect(missing).toEqual([]);
});
