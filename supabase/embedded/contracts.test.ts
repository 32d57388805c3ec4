import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";

/** Citations are `folder/file: name of the test` in code quotes. */
async function citations(contract: string) {
  const text = await readFile(new URL(`${contract}/CONTRACT.md`, import.meta.url), "utf8");
  const found = text.matchAll(/`([\w-]+\/[\w-]+): ([^`]+)`/g);
  return [...found].map(([, file = "", name = ""]) => ({ file, name }));
}

function pathOf(file: string): URL {
  const folder = /^(?:contract|security)\//.test(file) ? "../../tests/" : "";
  return new URL(`${folder}${file}.test.ts`, import.meta.url);
}

test.each(["auth", "realtime"])(
  "the tests that the contract of %s names exist",
  async (contract) => {
    const missing: string[] = [];
    const cited = await citations(contract);
    for (const { file, name } of cited) {
      const source = await readFile(pathOf(file), "utf8").catch(() => "");
      if (!source.includes(`"${name}"`)) {
        missing.push(`${file}: ${name}`);
      }
    }
    expect(missing).toEqual([]);
    expect(cited.length).toBeGreaterThan(20);
  },
);
