import { existsSync, globSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import lock from "#package-lock.json" with { type: "json" };
import manifest from "#package.json" with { type: "json" };
import { root } from "#tests/support/spawn-server.ts";

// What the linter has no rule for.

test("no file of the embedded Supabase names this site", () => {
  const words = /tawasul|contact|\.github|npm run|\p{Script=Arabic}/iu;
  const settings = /\b(?:DATA|SITE|SMTP|BACKUP|SUPABASE)_[A-Z]+/;
  const files = globSync(join(root, "supabase/embedded/**/*.{ts,sql}"));
  const found = files.filter((file) => {
    const text = readFileSync(file, "utf8");
    return words.test(text) || settings.test(text);
  });
  expect(found).toEqual([]);
  expect(files.length).toBeGreaterThan(50);
});

test("SQL that runs at each start, also without a backup before it, takes nothing away", () => {
  const taking = /\b(?:drop|truncate|delete from|update [\w.]+ set|alter column)\b/i;
  const files = globSync(join(root, "supabase/embedded/{engine,live}/*.sql"));
  expect(files.filter((file) => taking.test(readFileSync(file, "utf8")))).toEqual([]);
  expect(files).toContain(join(root, "supabase/embedded/engine/auth.sql"));
});

test("each form of a page with scripts is kept when the connection breaks", () => {
  const files = globSync(join(root, "app/routes/{account,admin,auth}/*.tsx"));
  const actions = files
    .map((file) => readFileSync(file, "utf8"))
    .filter((text) => /^export (async )?function action/m.test(text));
  expect(
    actions.filter((text) => !text.includes("\nexport const clientAction = keepForm;")),
  ).toEqual([]);
  expect(actions.length).toBeGreaterThan(10);
});

/** Where a test without a folder is. */
const ownFolders = { SECURITY: "tests/security", SPECIFICATION: "tests/e2e" };
type Document = keyof typeof ownFolders;
const documents: Document[] = ["SECURITY", "SPECIFICATION"];

/** Returns the text of a test that a document names; undefined if there is none. */
function textOf(file: string, document: Document): string | undefined {
  const folder = [ownFolders[document], "tests", ""].find((each) =>
    existsSync(join(root, each, file)),
  );
  return folder === undefined ? undefined : readFileSync(join(root, folder, file), "utf8");
}

/** Returns the rows of a document's tables of promises. */
function promisesOf(name: Document): string[] {
  const document = readFileSync(join(root, `.github/${name}.md`), "utf8");
  const lines = document.split("\n## Deviations")[0]?.split("\n") ?? [];
  return lines.filter((line) => /^\| [^-]/.test(line) && !/\| (?:test|shown by) \|$/.test(line));
}

test.each(documents)("each promise of %s.md names tests that exist", (name) => {
  const rows = promisesOf(name);
  const missing = rows.flatMap((row) => {
    const cited = [...row.matchAll(/`([\w./-]+\.test\.ts)`/g)].map(([, file = ""]) => file);
    return cited.length === 0 ? [row] : cited.filter((file) => textOf(file, name) === undefined);
  });
  expect(missing).toEqual([]);
  expect(rows.length).toBeGreaterThan(25);
});

test("each promise of SPECIFICATION.md names a test by its title", () => {
  const missing = promisesOf("SPECIFICATION").filter((row) => {
    const [, file = "", title = ""] = /`([\w./-]+\.test\.ts)`: "(.+)" \|$/.exec(row) ?? [];
    const text = textOf(file, "SPECIFICATION") ?? "";
    return title === "" || !['"', "`"].some((quote) => text.includes(quote + title));
  });
  expect(missing).toEqual([]);
});

test("each file of tests has a name that npm test or npm run test:slow runs", () => {
  const exclude = ["**/node_modules/**"];
  const files = globSync(join(root, "{app,supabase,tests}/**/*.{test,spec}.*"), { exclude });
  expect(files.filter((file) => !file.endsWith(".test.ts"))).toEqual([]);
  for (const [project, script] of [
    ["quick", manifest.scripts.test],
    ["slow", manifest.scripts["test:slow"]],
  ] as const) {
    for (const runner of ["unit", "e2e"]) {
      expect(script).toContain(`npm run test:${runner} -- --project ${project}`);
    }
  }
});

test("the version is that of package.json everywhere, and the changelog says what it brings", () => {
  const { version } = manifest;
  expect([lock.version, lock.packages[""].version]).toEqual([version, version]);
  const changelog = readFileSync(join(root, ".github/CHANGELOG.md"), "utf8");
  const [, newest] = /^## \[(\d\S+)\] - \d{4}-\d\d-\d\d$/m.exec(changelog) ?? [];
  expect(newest).toBe(version);
});

test("the secret key goes to one client, which no session of a cookie has", () => {
  const files = globSync(join(root, "app/**/*.{ts,tsx}"), { exclude: ["**/*.test.ts"] });
  const using = (word: RegExp) =>
    files
      .filter((file) => word.test(readFileSync(file, "utf8")))
      .map((file) => relative(root, file));
  const made = "app/server/backend/outside/secret-client.ts";
  const known = [
    "app/server/backend/backend.ts",
    "app/server/backend/outside/outside-backend.ts",
    made,
  ];
  expect(using(/secretKey/).toSorted()).toEqual(known);
  expect(using(/createClient[^;]*secretKey/)).toEqual([made]);
  expect(using(/createServerClient</)).toEqual(["app/session/clients.server.ts"]);
});
