import { execFile } from "node:child_process";
import { globSync } from "node:fs";
import { relative } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import manifest from "#package.json" with { type: "json" };
import { root } from "./support/spawn-server.ts";

const { scripts } = manifest;

/** A file of Playwright's list, or a group of its tests. */
interface Suite {
  file: string;
  specs: { tests: { projectName: string }[] }[];
  suites?: Suite[];
}

const projectsOf = ({ specs, suites = [] }: Suite): string[] => [
  ...specs.flatMap(({ tests }) => tests.map(({ projectName }) => projectName)),
  ...suites.flatMap(projectsOf),
];

/** Runs a runner of tests to list them. */
async function listOf(command: string): Promise<string> {
  const { stdout } = await promisify(execFile)("sh", ["-c", `node_modules/.bin/${command}`], {
    cwd: root,
    // A list needs no browser, and unpacking one takes seconds.
    env: { ...process.env, NO_COLOR: "1", CHROME_PATH: "none" },
    maxBuffer: 16 * 1024 ** 2,
  });
  return stdout;
}

test("npm test and npm run test:slow run every file of tests, and each is in one of them", async () => {
  const [units, journeys] = await Promise.all([
    listOf(`${scripts["test:unit"].replace("vitest run", "vitest list")} --filesOnly --json`),
    listOf(`${scripts["test:e2e"]} --list --reporter json`),
  ]);
  const { suites } = JSON.parse(journeys) as { suites: Suite[] };
  const listed = new Set([
    ...(JSON.parse(units) as { file: string; projectName: string }[]).map(
      ({ file, projectName }) => `${projectName} ${relative(root, file)}`,
    ),
    ...suites.flatMap((suite) =>
      projectsOf(suite).map((project) => `${project} tests/e2e/${suite.file}`),
    ),
  ]);
  const files = globSync("{app,supabase,tests}/**/*.test.ts", { cwd: root });
  const named = files.map((file) => `${file.endsWith(".slow.test.ts") ? "slow" : "quick"} ${file}`);
  expect([...listed].toSorted()).toEqual(named.toSorted());
  for (const [project, script] of [
    ["quick", scripts.test],
    ["slow", scripts["test:slow"]],
  ] as const) {
    expect(script).toContain(`npm run test:unit -- --project ${project} &&`);
    expect(script).toContain(`npm run test:e2e -- --project ${project} &&`);
  }
});
