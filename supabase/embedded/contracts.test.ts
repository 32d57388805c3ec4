import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";

const citation = /`([\w-]+(?:\/[\w-]+)+): ([^`]+)`/g;

function pathOf(file: string): URL {
  const folder = /^(?:contract|security|site)\//.test(file) ? "../../tests/" : "";
  return new URL(`${folder}${file}.test.ts`, import.meta.url);
}

/** Returns the rows of the tables with a Test column, without the header rows. */
function rows(contract: string): string[] {
  return contract
    .split("\n\n")
    .filter((block) => /^\|.*\| Test \|\n/.test(block))
    .flatMap((table) => table.trim().split("\n").slice(2));
}

test.each(["rest"])("each row of the contract of %s names tests that exist", async (service) => {
  const contract = await readFile(new URL(`${service}/CONTRACT.md`, import.meta.url), "utf8");
  const untested = rows(contract).filter((row) => !/: [^`]+` \|$/.test(row));
  const missing: string[] = [];
  for (const [, file = "", name = ""] of contract.matchAll(citation)) {
    const source = await readFile(pathOf(file), "utf8").catch(() => "");
    if (!source.includes(`"${name}"`)) {
      missing.push(`${file}: ${name}`);
    }
  }
  expect({ untested, missing }).toEqual({ untested: [], missing: [] });
  expect(rows(contract).length).toBeGreaterThan(50);
});
