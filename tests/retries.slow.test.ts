import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { root } from "./support/spawn-server.ts";

const run = promisify(execFile);

// In the project, where both runners are found.
let folder: string;
beforeAll(async () => {
  await mkdir(join(root, "test-results"), { recursive: true });
  folder = await mkdtemp(join(root, "test-results/retries-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const configs = {
  vitest: `import { retriesReporter } from "#tests/support/retries-vitest.ts";
    export default { root: import.meta.dirname, test: { include: ["vitest.test.ts"], retry: 1,
      reporters: ["default", retriesReporter] } };`,
  playwright: `export default { testDir: ".", outputDir: "out", testMatch: "**/playwright.test.ts",
      retries: 1, reporter: [["list"], ["#tests/support/retries-playwright.ts"]] };`,
};
type Runner = keyof typeof configs;

/** Runs tests of which some fail at their first try. Resolves to the output. */
async function runTests(runner: Runner, tests: string): Promise<string> {
  const config = join(folder, `${runner}.config.ts`);
  const reporter = join(root, "tests/support/retries-playwright.ts");
  await writeFile(
    config,
    configs[runner].replace("#tests/support/retries-playwright.ts", reporter),
  );
  await writeFile(
    join(folder, `${runner}.test.ts`),
    `import { test } from "${runner === "vitest" ? "vitest" : "playwright/test"}";
    import { existsSync, writeFileSync } from "node:fs";
    function failOnce(name) {
      const mark = import.meta.dirname + "/" + name + "-${runner}-" + process.env.ROUND;
      const isFirst = !existsSync(mark);
      writeFileSync(mark, "");
      if (isFirst) throw new Error("bad luck");
    }
    ${tests}`,
  );
  const program = join(root, "node_modules/.bin", runner);
  const { stdout } = await start([
    program,
    runner === "vitest" ? "run" : "test",
    "--config",
    config,
  ]);
  return stdout;
}

let round = 0;
function start([file = "", ...args]: string[]) {
  const env = {
    ...process.env,
    RETRIES_FOLDER: join(folder, "lists"),
    ROUND: String(round),
    NO_COLOR: "1",
  };
  return run(file, args, { cwd: root, env });
}

/** The last step of `npm test`: its exit code and its list. */
async function judge(): Promise<[code: number, list: string[]]> {
  const { code, stdout } = await start([process.execPath, "tests/retries.ts"]).then(
    (ended) => ({ ...ended, code: 0 }),
    (error: { code: number; stdout: string }) => error,
  );
  return [
    code,
    stdout
      .trim()
      .split("\n")
      .map((line) => line.trim()),
  ];
}

const flaky = (name: string) => `test("${name}", () => failOnce("${name}"));`;

test("what needed a second try is one list, and more than two of both runners fail the run", async () => {
  // Also at a second try of this test: the marks of the first are there.
  round += 1;
  expect(await runTests("vitest", `${flaky("a")} test("fine", () => {});`)).toContain("2 passed");
  expect(await runTests("playwright", flaky("b"))).toContain("1 flaky");
  expect(await judge()).toEqual([
    0,
    [
      "Tests that needed a second try: 2, at most 2 may",
      expect.stringMatching(/vitest\.test\.ts > a$/),
      expect.stringMatching(/playwright\.test\.ts >  > b$/),
    ],
  ]);

  round += 1;
  await runTests("vitest", flaky("a") + flaky("c"));
  await runTests("playwright", flaky("b"));
  const [code, [count]] = await judge();
  expect([code, count]).toEqual([1, "Tests that needed a second try: 3, at most 2 may"]);
});

test("what an earlier run stored does not count", async () => {
  round += 1;
  await runTests("vitest", [..."acd"].map(flaky).join(""));
  await runTests("vitest", flaky("a"));
  await runTests("playwright", 'test("fine", () => {});');
  expect(await judge()).toEqual([0, ["Tests that needed a second try: 0, at most 2 may"]]);
});
