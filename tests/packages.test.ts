import { glob, readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import lock from "#package-lock.json" with { type: "json" };
import manifest from "#package.json" with { type: "json" };
import benchmarks from "#tests/bench/tools/package.json" with { type: "json" };

const root = new URL("..", import.meta.url).pathname;
const sources = "{app,supabase,tests}/**/*.{ts,tsx,css,mjs}";

type Versions = Record<string, string>;
const { "embedded-supabase": link, ...ownPackages }: Versions = {
  ...manifest.dependencies,
  ...manifest.devDependencies,
  ...manifest.optionalDependencies,
};
const embedded = lock.packages["supabase/embedded"];
const embeddedPackages: Versions = { ...embedded.dependencies, ...embedded.devDependencies };
const named = Object.keys({ ...ownPackages, ...embeddedPackages, ...benchmarks.dependencies });

/** Packages that no source names, each with what needs it. */
const neededUnnamed: Record<string, string> = {
  "@expo-google-fonts/markazi-text": "tests/support/browser/fonts/narrow.conf reads its files",
  "@expo-google-fonts/noto-sans-arabic": "tests/support/browser/fonts/wide.conf reads its files",
  "@react-router/node": "the build of @react-router/dev imports it",
};

async function readSources(patterns = [sources, "*.config.ts"]): Promise<string[]> {
  const texts: string[] = [];
  for await (const file of glob(patterns, { cwd: root, exclude: ["**/node_modules/**"] })) {
    texts.push(await readFile(`${root}/${file}`, "utf8"));
  }
  return texts;
}

/** Names in `from "…"`, `import "…"`, `import("…")` and the like, without what follows the package. */
function importedBy(text: string): string[] {
  const specifiers = text.matchAll(
    /(?:\bfrom|\bimport|\bresolve)\s*\(?\s*["']([^"'.#][^"']*)["']/g,
  );
  return Array.from(specifiers, ([, name = ""]) =>
    name
      .split("/")
      .slice(0, name.startsWith("@") ? 2 : 1)
      .join("/"),
  );
}

async function commandsOf(name: string): Promise<string[]> {
  const text = await readFile(`${root}/node_modules/${name}/package.json`, "utf8");
  const { bin = {} }: { bin?: string | Record<string, string> } = JSON.parse(text);
  return typeof bin === "string" ? [name.replace(/^.*\//, "")] : Object.keys(bin);
}

test("every package is imported, run, or needed by one that is", async () => {
  const texts = await readSources();
  const imported = new Set(texts.flatMap(importedBy));
  const scripts = Object.values(manifest.scripts).join(" ").split(/\s+/);
  const isRun = (command: string) =>
    scripts.includes(command) ||
    texts.some((text) => text.includes(`"${command}"`) || text.includes(`.bin/${command}"`));
  const unused: string[] = [];
  for (const name of named) {
    const described = name.replace(/^@types\//, "");
    const isUsed =
      imported.has(described) || described === "node" || (await commandsOf(name)).some(isRun);
    if (!isUsed) {
      unused.push(name);
    }
  }
  expect(unused.toSorted()).toEqual(Object.keys(neededUnnamed));
});

test.each([
  ["The site", ["app/**/*.{ts,tsx,mjs}"], { ...ownPackages, "embedded-supabase": link }],
  ["The embedded Supabase", ["supabase/embedded/**/*.ts"], embeddedPackages],
])("%s imports only packages that its own package.json names", async (_, patterns, packages) => {
  const names = (await readSources(patterns)).flatMap(importedBy);
  const installed = new Set(names.filter((name) => `node_modules/${name}` in lock.packages));
  expect([...installed].filter((name) => !(name in packages))).toEqual([]);
});

/**
 * Builds of these for other platforms. npm leaves out of the lock file what it cannot see when
 * the file is made, and `npm ci` then refuses the file, so they are named in it by hand.
 */
const namedByHand = [
  { family: "@oxfmt/binding-", of: "oxfmt" },
  { family: "@oxlint/binding-", of: "oxlint" },
  { family: "@tailwindcss/oxide-", of: "tailwindcss" },
] as const;

interface Locked {
  resolved?: string;
  version?: string;
  integrity?: string;
  optional?: boolean;
  dev?: boolean;
  os?: string[];
}

test("the lock file names without integrity only tools' builds for other platforms", () => {
  const packages: [string, Locked][] = Object.entries(lock.packages);
  const open = packages.filter(
    ([path, { integrity, resolved }]) =>
      !["", "supabase/embedded"].includes(resolved ?? path) && integrity === undefined,
  );
  const unexplained = open.filter(([path, { version, optional, dev }]) => {
    const known = namedByHand.find(({ family }) => path.startsWith(`node_modules/${family}`));
    return !known || version !== manifest.devDependencies[known.of] || !optional || !dev;
  });
  expect(unexplained.map(([path]) => path)).toEqual([]);
  for (const { family } of namedByHand) {
    expect(open.filter(([path]) => path.includes(family)).length).toBeGreaterThan(0);
  }
});

test("every package is pinned exactly, to one version", () => {
  const versions = [ownPackages, embeddedPackages, benchmarks.dependencies].flatMap(Object.values);
  expect(versions.filter((version) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
  expect({ ...embeddedPackages, ...ownPackages }).toEqual({ ...ownPackages, ...embeddedPackages });
});
