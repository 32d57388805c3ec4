import { expect, test } from "vitest";
import lock from "#package-lock.json" with { type: "json" };
import manifest from "#package.json" with { type: "json" };
import benchmarks from "#tests/bench/tools/package.json" with { type: "json" };
import oldBrowser from "#tests/old-browser/package.json" with { type: "json" };

type Versions = Record<string, string>;
const ownPackages: Versions = { ...manifest.dependencies, ...manifest.devDependencies };
const embedded = lock.packages["supabase/embedded"];
const embeddedPackages: Versions = { ...embedded.dependencies, ...embedded.devDependencies };

interface Locked {
  version?: string;
  link?: boolean;
  inBundle?: boolean;
  integrity?: string;
}

test("every package of the registry has its checksum in the lock file, and none names a registry", () => {
  const packages: [string, Locked][] = Object.entries(lock.packages);
  const unchecked = packages.filter(
    ([path, { link, inBundle, integrity }]) =>
      path.startsWith("node_modules/") && !link && !inBundle && integrity === undefined,
  );
  expect(unchecked).toEqual([]);
  expect(JSON.stringify(lock)).not.toMatch(/"resolved":"\w+:/);
});

test("every package is pinned exactly, to one version", () => {
  const others = [benchmarks.dependencies, oldBrowser.dependencies];
  const versions = [ownPackages, embeddedPackages, ...others].flatMap(Object.values);
  expect(versions.filter((version) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
  expect({ ...embeddedPackages, ...ownPackages }).toEqual({ ...ownPackages, ...embeddedPackages });
});
