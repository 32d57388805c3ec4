import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { htmlOf } from "#app/document/markdown.server.ts";
import manifest from "#package.json" with { type: "json" };
import { root } from "#tests/support/spawn-server.ts";

const read = (file: string) => readFileSync(join(root, file), "utf8");
const guide = read(".github/OWNER.ar.md");
const others = ["README.md", ".github/DEPLOY.md", ".github/BACKUPS.md"].map(read).join("\n");

const found = (text: string, pattern: RegExp) =>
  Array.from(text.matchAll(pattern), ([, part = ""]) => part);

test("the commands of the owner's guide are those of the other documents", () => {
  const own = new Set(["wsl --install", "cd site"]);
  const lines = found(guide, /```sh\n(.*?)```/gs).flatMap((block) => block.trim().split("\n"));
  const known = (line: string) =>
    own.has(line) || others.includes(line.replace(/^NOTIFICATION_URL=| site$/, ""));
  const unknown = lines.filter((line) => !known(line));
  expect(unknown).toEqual([]);
  expect(lines.length).toBeGreaterThan(5);
});

test("it names scripts, settings and files that exist", () => {
  const scripts = found(guide, /npm run (\w+)/g);
  expect(scripts.filter((name) => !(name in manifest.scripts))).toEqual([]);
  const settings = read("app/server/settings.ts");
  const names = found(guide, /\b([A-Z]+_[A-Z_]+)\b/g);
  expect(names.filter((name) => !settings.includes(name))).toEqual([]);
  expect(names).toContain("NOTIFICATION_BODY");
  const paths = found(guide, /`(app\/[^`]+)`/g);
  expect(paths.filter((path) => globSync(join(root, path)).length === 0)).toEqual([]);
});

test("what it calls by its name on a page is on a page", () => {
  const elsewhere = new Set(["Ubuntu", "ابدأ", "الطرفية"]);
  const pages = globSync(join(root, "app/{routes,components,models}/**/*.{ts,tsx}"))
    .map((file) => readFileSync(file, "utf8"))
    .join("\n");
  const words = found(guide, /«([^»]+)»/g).filter((word) => !elsewhere.has(word));
  expect(words.filter((word) => !pages.includes(word))).toEqual([]);
  expect(words.length).toBeGreaterThan(5);
});

test("each link to a part of the guide or of another document leads to a heading", () => {
  const documents = {
    owner: guide,
    deploy: read(".github/DEPLOY.md"),
    backups: read(".github/BACKUPS.md"),
  };
  const targets = new Set(
    Object.entries(documents).flatMap(([name, text]) =>
      found(htmlOf(text), /<h\d id="([^"]+)"/g).map((id) => `/account/documents/${name}#${id}`),
    ),
  );
  const links = Object.entries(documents).flatMap(([name, text]) =>
    found(htmlOf(text), /<a href="([^"]+)"/g)
      .map((link) => (link.startsWith("#") ? `/account/documents/${name}${link}` : link))
      .filter((link) => link.includes("#") && link.startsWith("/")),
  );
  const fromAccount = found(
    read("app/routes/account/document-link.tsx"),
    /"([\p{Script=Arabic}-]+)"/gu,
  );
  expect(fromAccount.length).toBeGreaterThan(0);
  const all = [...links, ...fromAccount.map((part) => `/account/documents/owner#${part}`)];
  expect(all.filter((link) => !targets.has(link))).toEqual([]);
});

test("a document becomes HTML without markup of its code, and without links to files that the site does not show", () => {
  expect(htmlOf("a [b](../app/x.ts), [c](DEPLOY.md#a-b) `<i>`")).toBe(
    '<p>a b, <a href="/account/documents/deploy#a-b">c</a> <code dir="ltr">&lt;i></code></p>\n',
  );
});
