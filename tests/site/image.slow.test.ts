import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type Dockerfile, DockerfileParser } from "dockerfile-ast";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { freePort } from "#tests/support/site.ts";
import { root } from "#tests/support/spawn-server.ts";
import { useFolder } from "#tests/support/use-folder.ts";
import { Visitor } from "#tests/support/visitor.ts";

// Without a container engine: the image's own commands run here, with its settings. That a site which was
// built works without the development packages is in installs.slow.test.ts.
const words = z.tuple([z.string()], z.string());
const folder = useFolder();

let dockerfile: Dockerfile;
let settings: NodeJS.ProcessEnv;
beforeAll(async () => {
  dockerfile = DockerfileParser.parse(await readFile(join(root, "Dockerfile"), "utf8"));
});

async function makeVolumes(): Promise<void> {
  const [DATA_DIR, BACKUP_DIR] = [join(folder.path, "data"), join(folder.path, "backups")];
  await Promise.all([DATA_DIR, BACKUP_DIR].map((volume) => mkdir(volume, { mode: 0o700 })));
  const image = Object.fromEntries(
    dockerfile
      .getENVs()
      .flatMap((env) => env.getProperties())
      .map((property) => [property.getName(), property.getValue() ?? ""]),
  );
  const PATH = `${join(root, "node_modules/.bin")}:/usr/bin:/bin`;
  settings = { ...image, PATH, DATA_DIR, BACKUP_DIR, PORT: String(await freePort()) };
}

/** The arguments of the first instruction of a kind, as written. */
function argumentsOf(keyword: string): string {
  const instruction = dockerfile
    .getInstructions()
    .find((candidate) => candidate.getKeyword() === keyword);
  return instruction?.getArgumentsContent() ?? "";
}

/** Starts a command that the image writes as a JSON list. */
function spawnInImage(list: string) {
  const [file, ...args] = words.parse(JSON.parse(list));
  return spawn(file, args, { cwd: root, env: settings });
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
  for (const [, line = ""] of deploy.matchAll(/^docker compose exec site (.+)$/gm)) {
    const command = spawnInImage(JSON.stringify(line.split(" ")));
    command.stdin.end("select message from contact_messages;");
    outputs.push(text(command.stdout));
  }
  return Promise.all(outputs);
}

async function start(): Promise<ChildProcess> {
  const site = spawnInImage(argumentsOf("CMD"));
  onTestFinished(() => void site.kill("SIGKILL"));
  let output = "";
  site.stderr.on("data", (chunk) => (output += chunk));
  const state = async () => (site.exitCode === null ? await health() : output);
  await expect.poll(state, { timeout: 60_000, interval: 500 }).toBe(0);
  return site;
}

async function end(site: ChildProcess): Promise<number> {
  const exit = once(site, "exit");
  site.kill("SIGTERM");
  const [code] = await exit;
  return code;
}

test("the image starts, stops at its signal, and keeps its volume", async () => {
  await makeVolumes();
  // Who restarts what is unhealthy: a restart mends no full disk.
  expect(argumentsOf("HEALTHCHECK")).toContain("/livez");
  expect(await health()).toBe(1);
  const first = await start();
  const visitor = new Visitor({ url: `http://localhost:${settings["PORT"]}` });
  const form = { name: "عميل", email: "client@example.com", message: "من الحاوية", t_extra: "" };
  expect((await visitor.post("/", form)).status).toBe(302);
  const credentials = { email: "owner@example.com", password: "a password" };
  expect((await visitor.post("/auth?mode=sign-up", credentials)).status).toBe(302);
  expect(await end(first)).toBe(0);

  const second = await start();
  expect((await visitor.get("/admin")).text).toContain("من الحاوية");
  const [backup, sql] = await documentedCommands();
  expect(backup).toMatch(/\/backups\/\S+ is complete and verified/);
  expect(sql).toBe('{"message":"من الحاوية"}\n');
  expect(await end(second)).toBe(0);
});
