import { glob, readFile } from "node:fs/promises";
import { expect, test } from "vitest";

// PostgreSQL compiles a pattern before a function looks at its caller, and some patterns take
// seconds. So every pattern is a text of the migrations, never one of a visitor.

const fromLiteral = String.raw`\s*\(?\s*(?:U&)?'`;

/** A function's first argument, with calls in it. */
const argument = String.raw`(?:[^',()]|\((?:[^()]|\([^()]*\))*\))*`;

/** Uses of patterns, each with what must follow it. */
const uses: [use: RegExp, safe: RegExp][] = [
  [/(?<![~!<>=])!?~~?\*?(?!~)/g, new RegExp(`^${fromLiteral}`)],
  [/\bi?like\b/gi, /^ '/],
  [/\bsimilar\s+to\b/gi, new RegExp(`^${fromLiteral}`)],
  [/\bregexp_\w+\(/gi, new RegExp(`^${argument},${fromLiteral}`)],
  [/\bsubstring\([^()]* from /gi, new RegExp(`^${fromLiteral}`)],
];

const withoutComments = (sql: string) => sql.replace(/--.*$/gm, "");

function unsafeUses(sql: string): string[] {
  const found: string[] = [];
  for (const [use, safe] of uses) {
    for (const match of sql.matchAll(use)) {
      const rest = sql.slice(match.index + match[0].length, match.index + 300);
      // A tilde may stand in a pattern.
      const isInText = (sql.slice(0, match.index).split("\n").at(-1)?.split("'").length ?? 1) % 2;
      if (isInText === 1 && !safe.test(rest)) {
        found.push(sql.slice(match.index - 30, match.index + 50).trim());
      }
    }
  }
  return found;
}

test.each([
  "where endpoint ~ given",
  "select regexp_replace(name, given, '')",
  "select substring(name from given)",
])("finds the pattern in: %s", (sql) => {
  expect(unsafeUses(sql)).toHaveLength(1);
});

test("no pattern of the database is a visitor's text", async () => {
  const files = glob("supabase/migrations/*.sql");
  let count = 0;
  for await (const file of files) {
    const sql = withoutComments(await readFile(file, "utf8"));
    expect([file, unsafeUses(sql)]).toEqual([file, []]);
    count += [...sql.matchAll(/ !?~ |regexp_\w+\(/g)].length;
  }
  expect(count).toBeGreaterThan(10);
});
