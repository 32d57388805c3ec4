import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { countFolder } from "#tests/support/comments.ts";
import { root } from "#tests/support/site.ts";

// What the linter has no rule for.

test.each([
  ["supabase/embedded", 0.07],
  ["app", 0.07],
])("comments in %s stay few", (folder, most) => {
  expect(countFolder(folder).share).toBeLessThanOrEqual(most);
});

test("no cast goes through unknown", () => {
  // Node and the DOM declare the same streams differently; sources.test.ts quotes a cast.
  const cast = /\bas unknown\s+as (?!CatalogText\)"|(?:globalThis\.)?(?:Read|Writ)ableStream<)/;
  const files = globSync(join(root, "{app,supabase,tests}/**/*.{ts,tsx}"));
  const found = files.filter((file) => cast.test(readFileSync(file, "utf8")));
  expect(found).toEqual([]);
});
