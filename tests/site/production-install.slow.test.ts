import { spawnSync } from "node:child_process";
import { copyFile, cp, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import lock from "#package-lock.json" with { type: "json" };
import { tempFolder } from "#tests/support/folder.ts";
import { startOutside } from "#tests/support/outside.ts";
import { freePort, startSite } from "#tests/support/site.ts";
import { root } from "#tests/support/spawn-server.ts";
import { databaseUrl } from "#tests/support/superuser.ts";

const home = await tempFolder();
const folder = home.path;
const project = join(folder, "site");
beforeAll(async () => {
  await mkdir(project);
  for (const part of ["app", "supabase", "public"]) {
    await cp(join(root, part), join(project, part), { recursive: true });
  }
  for (const file of ["package.json", "package-lock.json", "vite.config.ts"]) {
    await copyFile(join(root, file), join(project, file));
  }
  await install(["dev"]);
});
afterAll(() => home[Symbol.asyncDispose]());

const topLevel = /^node_modules\/(@[^/]+\/)?[^/]+$/;
const locked: Record<string, { version?: string; resolved?: string }> = lock.packages;

/** What `npm ci --omit=dev` installs: the packages that the lock file does not mark so. */
async function install(omitted: string[]) {
  for (const [path, { resolved = path }] of Object.entries(locked)) {
    const isOmitted = omitted.some((mark) => mark in (locked[resolved] ?? {}));
    // The tests run with the package node already.
    if (topLevel.test(path) && !isOmitted && path !== "node_modules/node") {
      const how = { recursive: true, verbatimSymlinks: true, force: false };
      await cp(join(root, path), join(project, path), how).catch(ignoreMissing);
    }
  }
}

/** Packages for other platforms are not installed. */
function ignoreMissing(error: NodeJS.ErrnoException) {
  if (error.code !== "ENOENT") {
    throw error;
  }
}

test("without a build and the build's packages, the start says what to do", async () => {
  const { status, stderr } = spawnSync(process.execPath, ["app/server/main.ts"], {
    cwd: project,
    env: { ...process.env, DATA_DIR: join(folder, "data"), PORT: String(await freePort()) },
    encoding: "utf8",
  });
  expect(stderr).toMatch(/^\S+ error The pages are not built, and the packages .*\n$/);
  expect(status).toBe(1);
});

test("a copied build is served, even if the sources are newer", async () => {
  await cp(join(root, "build"), join(project, "build"), { recursive: true });
  await copyFile(join(root, "public/icon.svg"), join(project, "public/icon.svg"));
  const site = await startSite({}, undefined, [], project);
  expect((await fetch(`${site.url}/auth`)).status).toBe(200);
  expect((await fetch(`${site.url}/no/such/page`)).status).toBe(404);
  expect(site.output()).not.toContain("Building");
  await expect
    .poll(() => site.output())
    .toMatch(
      /warn +The pages are older than their sources, and cannot be built here \(the packages/,
    );
  await site.stop();
}, 120_000);

test("packages that npm copied instead of linking are named, with what to do", async () => {
  const linked = join(project, "node_modules/embedded-supabase");
  await rm(linked);
  await cp(join(root, "supabase/embedded"), linked, { recursive: true });
  const env = { ...process.env, DATA_DIR: join(folder, "data"), PORT: String(await freePort()) };
  const args = { cwd: project, env, encoding: "utf8" } as const;
  const { status, stderr } = spawnSync(process.execPath, ["app/server/main.ts"], args);
  expect(stderr).toMatch(
    / error npm has copied supabase\/embedded [^\n]+: run npm ci --install-links=false\.\n$/,
  );
  expect(status).toBe(1);
});

test("without optional packages the commands for a hosted Supabase work, and others say what is missing", async () => {
  const packages = join(project, "node_modules");
  await rm(packages, { recursive: true });
  await install(["dev", "optional", "devOptional"]);
  const source = await startOutside();
  const hosted = {
    SUPABASE_URL: source.env.SUPABASE_URL,
    SUPABASE_DB_URL: await databaseUrl(source.supabase.dataDir),
    BACKUP_DIR: join(folder, "backups"),
  };
  const run = (name: string, env: Record<string, string>, ...file: string[]) => {
    const args = [`app/server/commands/${name}.ts`, ...file];
    const all = { ...process.env, ...env };
    const { stderr, stdout } = spawnSync(process.execPath, args, { cwd: project, env: all });
    return [stderr.toString(), stdout.toString()];
  };
  const [errors = "", made = ""] = run("backup", hosted);
  expect([errors, made]).toEqual(["", expect.stringContaining("is complete and verified")]);
  const file = made.split(" ")[0] ?? "";
  expect(run("restore", hosted, file)).toEqual(["", expect.stringContaining("private.limits")]);
  expect(run("restore", { DATA_DIR: join(folder, "new") }, file)).toEqual([
    expect.stringMatching(/^The packages of the embedded Supabase are missing: [^\n]+\n$/),
    "",
  ]);
  await source.close();
}, 120_000);

test("an npm that runs with a Node that is too old is refused by name, before anything is built", () => {
  for (const file of ["check-node.mjs", "check-npm.mjs"]) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [`app/server/${file}`], {
      cwd: root,
      env: { ...process.env, npm_config_user_agent: "npm/9.2.0 node/v18.20.4 linux x64" },
      encoding: "utf8",
    });
    expect(stderr).toMatch(/^npm runs with Node 18\.20\.4, which is too old .*\n$/);
    expect([stdout, status]).toEqual(["", 1]);
  }
});

/** An installed Node older than the site's own, if there is one. */
const oldNode = (process.env["PATH"] ?? "")
  .split(":")
  .map((path) => join(path, "node"))
  .find((node) => {
    const { stdout } = spawnSync(node, ["--version"], { encoding: "utf8" });
    return stdout && Number.parseInt(stdout.slice(1), 10) < 24;
  });
if (oldNode === undefined) {
  console.info("Skipped: a Node that is too old needs one on the PATH.");
}

test.runIf(oldNode)("a Node that is too old gets a one-line error", () => {
  const { status, stderr } = spawnSync(oldNode ?? "", ["app/server/check-node.mjs"], {
    cwd: root,
    encoding: "utf8",
  });
  expect(stderr).toMatch(/^Node \S+ is too old, the site needs 24 or later\. [^\n]*\n$/);
  expect(status).toBe(1);
});
