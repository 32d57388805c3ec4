import { glob, readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import type { CatalogText } from "./catalog.ts";
import { fromCatalog, type join, parameter, render, sql } from "./statement/sql.ts";

const folder = new URL(".", import.meta.url).pathname;

/** Code that turns text into SQL or code, and how often each file may contain it. */
const guarded: { what: RegExp; allowed: Record<string, number> }[] = [
  { what: /\.unsafe\b/g, allowed: { "execute.ts": 1 } },
  { what: /unsafe\(\s*statement\.text,/g, allowed: { "execute.ts": 1 } },
  { what: /\.(file|simple|cursor|describe|reserve|subscribe|listen|notify)\s*\(/g, allowed: {} },
  { what: /\b(eval|Function)\s*\(|new Function\b|\bimport\s*\(|node:vm/g, allowed: {} },
  { what: /new Piece\(/g, allowed: { "statement/sql.ts": 5 } },
  { what: /\.brand</g, allowed: { "catalog.ts": 1 } },
  // A cast could make request text count as SQL or catalog text.
  {
    what: /\bas (unknown|never|any|CatalogText|Sql|Piece|TemplateStringsArray|Table|Column|Function|Statement)\b/g,
    allowed: {},
  },
  { what: /@ts-|oxlint-disable/g, allowed: {} },
  {
    what: /from "postgres"/g,
    allowed: { "catalog.ts": 1, "database-errors.ts": 1, "execute.ts": 1 },
  },
  { what: /postgres\(\{/g, allowed: { "catalog.ts": 1 } },
];

function findings(file: string, source: string): string[] {
  return guarded.flatMap(({ what, allowed }) => {
    const found = source.match(what) ?? [];
    return found.length === (allowed[file] ?? 0) ? [] : [`${file}: ${what} ${found.length} times`];
  });
}

test("a single call takes text as SQL, and nothing else can make that text", async () => {
  const all: string[] = [];
  let files = 0;
  for await (const file of glob("**/*.ts", { cwd: folder })) {
    if (!file.endsWith(".test.ts")) {
      files += 1;
      all.push(...findings(file, await readFile(`${folder}/${file}`, "utf8")));
    }
  }
  expect(files).toBeGreaterThan(25);
  expect(all).toEqual([]);
});

test.each([
  "transaction.unsafe(text)",
  "transaction.unsafe(statement.text, values)",
  "await sql.file(path)",
  "const made = sql(name as TemplateStringsArray)",
  "fromCatalog(name as CatalogText)",
  "fromCatalog(name as unknown as CatalogText)",
  "new Piece([name])",
  'z.string().brand<"catalog">()',
  "// @ts-expect-error\nsql(name);",
  'import postgres from "postgres";',
  "// oxlint-disable-next-line typescript/no-explicit-any",
])("the rule finds %j", (line) => {
  expect(findings("tables.ts", line)).not.toEqual([]);
});

test("pieces of SQL come from templates, the catalog and parameters alone", () => {
  const hostile = "'; drop table books; --";
  // @ts-expect-error a text is no piece
  expect(render(sql`select ${hostile}`).text).toBe("select ");
  // @ts-expect-error a text is not the catalog's
  expect(() => fromCatalog(hostile) satisfies CatalogText).not.toThrow();
  // @ts-expect-error an object that looks like a piece is none
  const pieces: Parameters<typeof join>[0] = [{ parts: [hostile] }];
  expect(pieces).toHaveLength(1);
  expect(render(sql`a = ${parameter(hostile)} and b = ${parameter("$1")}`)).toEqual({
    text: "a = $1 and b = $2",
    values: [hostile, "$1"],
  });
});
