import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "#tests/support/site.ts";

// What the linter has no rule for.

test("a schema is named one", () => {
  const named =
    /const (\w+)[^=]*=\s*z\s*\.(?:\w*[oO]bject|array|record|tuple|union|enum|discriminatedUnion)\(/g;
  const files = globSync(join(root, "{app,supabase}/**/*.{ts,tsx}"));
  const names = files.flatMap((file) =>
    Array.from(readFileSync(file, "utf8").matchAll(named), ([, name]) => name),
  );
  expect(names.filter((name) => !/^(?:[a-z]\w*S|s)chemas?$/.test(name ?? ""))).toEqual([]);
  expect(names).not.toEqual([]);
});

test("no cast goes through unknown", () => {
  const cast = /\bas unknown\s+as /;
  const files = globSync(join(root, "{app,supabase,tests}/**/*.{ts,tsx}"));
  const found = files.filter((file) => cast.test(readFileSync(file, "utf8")));
  expect(found).toEqual([]);
});

const isThere = (file: string) =>
  ["tests/security", "tests/e2e", "tests", ""].some((folder) =>
    existsSync(join(root, folder, file)),
  );

test.each(["SECURITY", "SPECIFICATION"])("each promise of %s.md names tests that exist", (name) => {
  const document = readFileSync(join(root, `.github/${name}.md`), "utf8");
  const [, promises = ""] = document.split("\n## Deviations")[0]?.split("| --- |") ?? [];
  const rows = promises.split("\n").filter((line) => /^\| [^-]/.test(line));
  const missing = rows.flatMap((row) => {
    const cited = [...row.matchAll(/`([\w./-]+\.test\.ts)`/g)].map(([, file = ""]) => file);
    return cited.length === 0 ? [row] : cited.filter((file) => !isThere(file));
  });
  expect(missing).toEqual([]);
  expect(rows.length).toBeGreaterThan(30);
});
