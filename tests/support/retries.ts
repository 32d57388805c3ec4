import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./spawn-server.ts";

const runners = ["vitest", "playwright"] as const;
type Runner = (typeof runners)[number];

/**
 * Of some 2,000 tests on a busy machine. More are no bad luck: a test depends on something that it
 * does not control, or the site does.
 */
const most = 2;

const folder = join(root, "node_modules/.cache/tawasul-retries");
const fileOf = (runner: Runner) => join(folder, `${runner}.txt`);

/** Stores the titles of the tests that needed their second try, in place of the runner's last ones. */
export function storeRetried(runner: Runner, titles: readonly string[]): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(fileOf(runner), titles.map((title) => `${title}\n`).join(""));
}

/** The list of both runners for the end of `npm test`, and whether it passes. Removes what was stored. */
export function judgeRetries(): { report: string; isFine: boolean } {
  const titles = runners.flatMap((runner) =>
    readFileSync(fileOf(runner), "utf8").split("\n").slice(0, -1),
  );
  rmSync(folder, { recursive: true });
  const report = [
    `Tests that needed a second try: ${titles.length}, at most ${most} may`,
    ...titles.map((title) => `  ${title}`),
  ].join("\n");
  return { report, isFine: titles.length <= most };
}
