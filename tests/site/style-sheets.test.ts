import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { root, type RunningSite, startSite } from "#tests/support/site.ts";

let site: RunningSite;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.stop());

async function sheetsOf(path: string): Promise<string[]> {
  const html = await (await fetch(site.url + path)).text();
  return Array.from(html.matchAll(/<style[^>]*>([^]*?)<\/style>/g), ([, css = ""]) => css);
}

/** The classes in a sheet's selectors. */
function classesOf(css: string): Set<string> {
  const selectors = css.replaceAll(/url\("[^"]*"\)|\/\*[^]*?\*\//g, "");
  const found = selectors.matchAll(/\.((?:[a-z_-]|\\.)(?:[\w-]|\\.)*)/gi);
  return new Set(Array.from(found, ([, name = ""]) => name.replaceAll("\\", "")));
}

test("the sheet of / has no class that its page does not use", async () => {
  const parts = ["routes/home/*.tsx", "components/*.{ts,tsx}", "root.tsx"];
  const others = /(card-page|not-found|sign-out-form)\.tsx$/;
  let sources = "";
  for await (const file of glob(parts, { cwd: join(root, "app") })) {
    sources += others.test(file) ? "" : await readFile(join(root, "app", file), "utf8");
  }
  const used = new Set(sources.split(/[\s"'`{}$]+/));
  const [css = "", ...more] = await sheetsOf("/");
  expect(more).toEqual([]);
  const classes = classesOf(css);
  expect(classes).toContain("cover");
  expect([...classes].filter((name) => !used.has(name))).toEqual([]);
});

test.each(["/auth", "/nowhere", "/privacy"])(
  "%s has one sheet, without the rules of /",
  async (path) => {
    const [css = "", ...more] = await sheetsOf(path);
    expect(more).toEqual([]);
    expect(classesOf(css)).toContain("cover");
    expect(classesOf(css)).not.toContain("book");
  },
);
