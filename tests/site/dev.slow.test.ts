import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { copyCluster } from "#tests/support/cluster-template.ts";
import { copyProject } from "#tests/support/project-copy.ts";
import { freePort } from "#tests/support/site.ts";
import { spawnServer } from "#tests/support/spawn-server.ts";

// `npm run dev` in a copy of the project, whose files these tests change.
// The limit is generous, because a restart takes seconds of both cores.
const patience = { timeout: 100_000, interval: 200 };
let project: string;
let url: string;
let site: ReturnType<typeof spawnServer>;
beforeAll(async () => {
  project = await copyProject();
  const port = String(await freePort());
  url = `http://localhost:${port}/`;
  await copyCluster(join(project, ".data"));
  const env = { NODE_ENV: "", PORT: port };
  site = spawnServer(env, ["run", "dev"], project, { command: "npm" });
  await site.isReady;
});
afterAll(async () => {
  await site.end("SIGTERM");
  await rm(project, { recursive: true, force: true, maxRetries: 10 });
});

/** What a reader of the contact page sees. */
const shown = () =>
  fetch(url).then(
    async (response) => `${response.status} ${await response.text()}`,
    () => "nothing",
  );
const wrong = (text: string) => text.replace(/timeZone = ".*"/, 'timeZone = "Cairo"');

test("a changed file restarts the site on the same data, and a mistake in it is shown in the terminal until it is mended", async () => {
  const fault = "app/content/owner.ts is wrong: | timeZone must be an IANA time zone";
  const path = join(project, "app/content/owner.ts");
  const text = await readFile(path, "utf8");
  await writeFile(path, wrong(text));
  await expect.poll(() => site.output(), patience).toContain(fault);
  await writeFile(path, text);
  await expect.poll(shown, patience).toMatch(/^200 <!DOCTYPE html>/);
  expect(site.output().match(/Tawasul is ready/g)).toHaveLength(2);
});

test("no page opens a file in the developer's editor", async () => {
  expect((await fetch(`${url}__open-in-editor?file=package.json`)).status).toBe(404);
});

test("nothing of the project but the pages' code can be read", async () => {
  const keys = ".data/keys.json";
  const password = ".data/database/cluster/superuser-password";
  for (const target of [keys, `${keys}?import&raw`, `@fs${project}/${keys}`, password]) {
    expect([target, (await fetch(url + target)).status]).toEqual([target, 403]);
  }
  expect((await fetch(`${url}app/root.tsx`)).status).toBe(200);
});

test("the end of npm run dev ends the site", async () => {
  expect(await site.end("SIGTERM")).toBe(0);
  expect(await shown()).toBe("nothing");
});
