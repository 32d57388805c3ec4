import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { buildWhenNeeded } from "#app/server/pages/build.ts";
import { projectRoot } from "#app/server/settings.ts";
import { account } from "./account.ts";
import { browser } from "./browser.ts";
import { copies } from "./copies.ts";
import { engine } from "./engine.ts";
import { pages } from "./pages.ts";
import { security } from "./security.ts";
import { sql } from "./sql.ts";
import { texts } from "./texts.ts";

// `npm run mutations -- [--check] [--only words]`: makes one fault of the lists after the other in a copy of the
// project, and runs the nearest tests there. For a fault that they do not find a test is missing, or nobody needs
// the line.

const areas = { texts, sql, account, security, copies, engine, pages, browser };

interface Fault {
  name: string;
  file: string;
  tests: string[];
  find: string;
  replace: string;
}

const { check, only } = parseArgs({
  options: { check: { type: "boolean" }, only: { type: "string", default: "" } },
}).values;

const faults = Object.entries(areas)
  .flatMap(([area, list]) =>
    list.flatMap(({ file, tests, faults: each }) =>
      each.map(([what, find, replace]) => ({
        name: `${area}: ${what}`,
        file,
        tests,
        find,
        replace,
      })),
    ),
  )
  .filter(({ name, file }) => `${name} ${file}`.includes(only));

const misplaced = faults.flatMap(({ name, file, find, tests }) => {
  const times = readFileSync(join(projectRoot, file), "utf8").split(find).length - 1;
  const missing = tests.filter((test) => !existsSync(join(projectRoot, test)));
  return times === 1 && missing.length === 0
    ? []
    : [`${name}: ${times} times in ${file}, ${missing.join()} missing`];
});
if (misplaced.length > 0) {
  console.error(misplaced.join("\n"));
  process.exit(1);
}
console.log(`${faults.length} faults have their place`);
if (!check) {
  await makeAll();
}

async function makeAll(): Promise<void> {
  await buildWhenNeeded();
  const unfound: string[] = [];
  for (const fault of faults) {
    const begin = performance.now();
    const found = await testThatFails(fault).catch((error: Error) => `UNCLEAR ${error.message}`);
    const seconds = Math.round((performance.now() - begin) / 1000);
    console.log([found ?? "SURVIVED", `${seconds} s`, fault.name, fault.file].join("\t"));
    if (found === undefined || found.startsWith("UNCLEAR")) {
      unfound.push(fault.name);
    }
  }
  console.log(`${faults.length - unfound.length} of ${faults.length} faults were found.`);
  process.exitCode = unfound.length === 0 ? 0 : 1;
}

/** Returns the test that fails with the fault; undefined if none does. Rejects if no test ran. */
async function testThatFails({ file, tests, find, replace }: Fault): Promise<string | undefined> {
  const project = await copyOfProject();
  try {
    const path = join(project, file);
    await writeFile(
      path,
      (await readFile(path, "utf8")).replace(find, () => replace),
    );
    const { mtime } = await stat(join(projectRoot, file));
    for (const test of tests) {
      // A test beside the code needs no new build.
      await utimes(path, new Date(), test.startsWith("tests/") ? new Date() : mtime);
      const failed = await failureOf(test, project);
      if (failed !== undefined) {
        return failed;
      }
    }
    return undefined;
  } finally {
    await rm(project, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** The sources, the build and links to the packages: the embedded Supabase alone is the copy's own. */
async function copyOfProject(): Promise<string> {
  const project = await mkdtemp(join(tmpdir(), "mutation-"));
  const others = new Set(["node_modules", ".git", ".data", "test-results"]);
  for (const name of (await readdir(projectRoot)).filter((each) => !others.has(each))) {
    const options = { recursive: true, preserveTimestamps: true };
    await cp(join(projectRoot, name), join(project, name), options);
  }
  const packages = join(projectRoot, "node_modules");
  await mkdir(join(project, "node_modules"));
  for (const name of await readdir(packages)) {
    const target = name === "embedded-supabase" ? "../supabase/embedded" : join(packages, name);
    await symlink(target, join(project, "node_modules", name));
  }
  return project;
}

/** Runs a file of tests. Returns its first test that fails, if any. Rejects if the run ends otherwise. */
async function failureOf(test: string, cwd: string): Promise<string | undefined> {
  const [program = "", ...args] = test.startsWith("tests/e2e/")
    ? ["playwright", "test", "--config", "tests/playwright.config.ts", "-x", test]
    : ["vitest", "run", "--config", "tests/vitest.config.ts", "--bail=1", test];
  const env = { ...process.env, NO_COLOR: "1" };
  const limits = { timeout: 15 * 60_000, maxBuffer: 2 ** 28 };
  try {
    const command = [`node_modules/.bin/${program}`, ...args];
    await promisify(execFile)(process.execPath, command, { cwd, env, ...limits });
    return undefined;
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    const output = stdout + stderr;
    const [, failed] = /^\s*(?:FAIL|✘)\s+(.+)$/m.exec(output) ?? [];
    if (failed === undefined) {
      throw new Error(output.slice(-2000), { cause: error });
    }
    return failed;
  }
}
