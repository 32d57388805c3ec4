import { expect, test } from "vitest";
import lock from "#package-lock.json" with { type: "json" };
import manifest from "#package.json" with { type: "json" };
import benchmarks from "#tests/bench/tools/package.json" with { type: "json" };

type Versions = Record<string, string>;
const ownPackages: Versions = { ...manifest.dependencies, ...manifest.devDependencies };
const embedded = lock.packages["supabase/embedded"];
const embeddedPackages: Versions = { ...embedded.dependencies, ...embedded.devDependencies };

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
