import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, cp, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { type Dockerfile, DockerfileParser } from "dockerfile-ast";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { freePort } from "#tests/support/site.ts";
import { root } from "#tests/support/spawn-server.ts";
import { Visitor } from "#tests/support/visitor.ts";

// Without a container engine: the image's own commands run in a folder, as its user.
const run = promisify(execFile);
const words = z.tuple([z.string()], z.string());

let dockerfile: Dockerfile;
let folder: string;
let project: string;
let settings: NodeJS.ProcessEnv;
let account: { uid: number; gid: number } | undefined;
let site: ChildProcess | undefined;
beforeAll(async () => {
  dockerfile = DockerfileParser.parse(await readFile(join(root, ".docker/Dockerfile"), "utf8"));
  folder = await mkdtemp(join(tmpdir(), "tawasul-image-"));
  await chmod(folder, 0o755);
  project = join(folder, "project");
  const ignored = await readFile(join(root, ".docker/Dockerfile.dockerignore"), "utf8");
  const left = new Set(
    ignored
      .trim()
      .split("\n")
      .map((name) => join(root, name)),
  );
  await cp(root, project, {
    recursive: true,
    preserveTimestamps: true,
    filter: (path) => !left.has(path),
  });
  // Whoever runs the tests has just installed the packages in the same way.
  await run("cp", ["-a", join(root, "node_modules"), project]);
  await run("sh", ["-c", argumentsOf("RUN").replace(/^npm ci && /, "")], {
    cwd: project,
    env: { ...process.env, NODE_ENV: undefined },
  });

  const volumes = [join(folder, "data"), join(folder, "backups")] as const;
  for (const volume of volumes) {
    await mkdir(volume, { mode: 0o700 });
  }
  // Only root can become another user. initdb needs one that exists: `nobody` stands in.
  if (process.getuid?.() === 0) {
    const { stdout } = await run("id", ["-u", "nobody"]);
    account = { uid: Number(stdout), gid: Number(stdout) };
    for (const volume of volumes) {
      await chown(volume, account.uid, account.gid);
    }
  }
  const image = Object.fromEntries(
    dockerfile
      .getENVs()
      .flatMap((env) => env.getProperties())
      .map((property) => [property.getName(), property.getValue() ?? ""]),
  );
  settings = {
    ...image,
    PATH: `${join(project, "node_modules/.bin")}:/usr/bin:/bin`,
    DATA_DIR: volumes[0],
    BACKUP_DIR: volumes[1],
    PORT: String(await freePort()),
  };
}, 300_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The arguments of the first instruction of a kind, as written. */
function argumentsOf(keyword: string): string {
  const instruction = dockerfile
    .getInstructions()
    .find((candidate) => candidate.getKeyword() === keyword);
  return instruction?.getArgumentsContent() ?? "";
}

/** Starts a command that the image writes as a JSON list, with its settings and as its user. */
function spawnInImage(list: string): ChildProcess {
  const [file, ...args] = words.parse(JSON.parse(list));
  return spawn(file, args, { cwd: project, env: settings, ...account });
}

/** The exit code of the image's health check. */
async function health(): Promise<number> {
  const [, command = ""] = /CMD (\[.*\])/s.exec(argumentsOf("HEALTHCHECK")) ?? [];
  const [code] = await once(spawnInImage(command), "exit");
  return code;
}

/** Runs the commands that DEPLOY.md gives to `docker compose exec`. Resolves to what each printed. */
async function documentedCommands(): Promise<string[]> {
  const deploy = await readFile(join(root, ".github/DEPLOY.md"), "utf8");
  const outputs = [];
  for (const [, line = ""] of deploy.matchAll(/^docker compose .* exec site (.+)$/gm)) {
    const command = spawnInImage(JSON.stringify(line.split(" ")));
    command.stdin?.end("select message from contact_messages;");
    outputs.push(text(command.stdout ?? Readable.from([])));
  }
  return Promise.all(outputs);
}

async function start(): Promise<void> {
  const started = spawnInImage(argumentsOf("CMD"));
  site = started;
  // A failing test must not leave it running, beside the one that it starts when it is tried again.
  onTestFinished(async () => void (await end()));
  let output = "";
  started.stderr?.on("data", (chunk) => (output += chunk));
  const state = async () => (started.exitCode === null ? await health() : output);
  await expect.poll(state, { timeout: 40_000 }).toBe(0);
}

async function end(): Promise<number | null> {
  if (site === undefined || site.exitCode !== null || site.signalCode !== null) {
    return null;
  }
  const exit = once(site, "exit");
  site.kill("SIGTERM");
  const [code] = await exit;
  return code;
}

test("the image starts, stops at its signal, and keeps its volume", async () => {
  // Who restarts what is unhealthy: a restart mends no full disk.
  expect(argumentsOf("HEALTHCHECK")).toContain("/livez");
  expect(await health()).toBe(1);
  await start();
  const visitor = new Visitor({ url: `http://localhost:${settings.PORT}` });
  const form = { name: "عميل", email: "client@example.com", message: "من الحاوية", t_extra: "" };
  expect((await visitor.post("/", form)).status).toBe(302);
  const credentials = { email: "owner@example.com", password: "a password" };
  expect((await visitor.post("/auth?mode=sign-up", credentials)).status).toBe(302);
  expect(await end()).toBe(0);

  await start();
  expect((await visitor.get("/admin")).text).toContain("من الحاوية");
  const [backup, sql] = await documentedCommands();
  expect(backup).toMatch(/\/backups\/\S+ is complete and verified/);
  expect(sql).toBe('{"message":"من الحاوية"}\n');
  expect(await end()).toBe(0);
});
