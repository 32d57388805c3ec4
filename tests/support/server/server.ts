import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { text } from "node:stream/consumers";
import { root } from "#tests/support/spawn-server.ts";

const stands = join(root, "tests/support/server");
const namespaces = ["--mount", "--pid", "--fork", "--kill-child", "--mount-proc"];

/** Why this machine cannot be made a server for a test, or undefined if it can. */
export function whyNoServer(): string | undefined {
  if (process.platform !== "linux" || process.getuid?.() !== 0) {
    return "it needs root on Linux";
  }
  return spawnSync("unshare", [...namespaces, "true"]).status === 0
    ? undefined
    : "mount namespaces are not allowed here";
}

export type Server = Awaited<ReturnType<typeof startServer>>;

/**
 * Starts a server of its own on this machine, with a repository that has the working copy of the
 * project: `https://your.repository` in the documents. Commands run as root in it. Rejects if a
 * namespace or a layer cannot be made.
 */
export async function startServer() {
  const folder = await mkdtemp(join(tmpdir(), "server-"));
  await chmod(folder, 0o755);
  const repository = join(folder, "repository");
  await makeRepository(repository);
  const packages = join(root, "node_modules");
  const prepare = [...namespaces, join(stands, "prepare"), folder, packages];
  const holder = spawn("unshare", prepare, { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await Promise.race([once(holder.stdout, "data"), once(holder, "exit")]);
  const children = await readFile(`/proc/${holder.pid}/task/${holder.pid}/children`, "utf8");
  if (!String(line).includes("ready")) {
    throw new Error(`The server was not made: ${line}`);
  }
  const inside = ["--target", children.trim(), "--mount", "--pid", "bash", "--norc", "-ec"];
  return {
    /** Runs a shell block with `set -e`. Resolves to its output; rejects if it fails. */
    async run(block: string, input = "") {
      const child = spawn("nsenter", [...inside, `exec 2>&1; cd /root\n${block}`], {
        env: {
          PATH: `${stands}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`,
          TMPDIR: join(folder, "tmp"),
        },
        stdio: ["pipe", "pipe", "inherit"],
      });
      // A block that reads nothing may have ended.
      child.stdin.on("error", () => undefined).end(input);
      const [[code], output] = await Promise.all([once(child, "exit"), text(child.stdout)]);
      if (code !== 0) {
        throw new Error(`The block ended with ${code}:\n${block}\n${output}`);
      }
      return output;
    },
    /** Commits a file to the repository, as a new version of the site. */
    async commit(file: string, content: string) {
      await writeFile(join(repository, file), content);
      commitAll(repository, file);
    },
    async stop() {
      const ended = once(holder, "exit");
      holder.kill("SIGKILL");
      await ended;
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    },
  };
}

/** Returns the shell blocks of a document's section, in order. */
export async function shellBlocks(file: string, heading: string): Promise<string[]> {
  const document = await readFile(join(root, file), "utf8");
  const section = document.split(/\n(?=#+ )/).find((part) => part.startsWith(heading)) ?? "";
  return Array.from(section.matchAll(/```sh\n(.*?)```/gs), ([, block = ""]) => block);
}

/** A repository with one commit: the files of the project as they are now. */
async function makeRepository(place: string): Promise<void> {
  const left =
    /^(node_modules|build|test-results|playwright-report|\.git|\.env|\.data|\.react-router)$/;
  await cp(root, place, {
    recursive: true,
    filter: (path) => !left.test(relative(root, path)),
  });
  execFileSync("git", ["init", "--quiet"], { cwd: place });
  commitAll(place, "The working copy");
}

function commitAll(cwd: string, message: string): void {
  const author = ["-c", "user.name=test", "-c", "user.email=test@localhost"];
  execFileSync("git", ["add", "--all"], { cwd });
  execFileSync("git", [...author, "commit", "--quiet", "--message", message], { cwd });
}
