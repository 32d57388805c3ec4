import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type FSWatcher, globSync, watch } from "node:fs";
import { log } from "#app/lib/log.server.ts";

// `npm run dev`: runs dev.ts, and again when a file changes that only a start reads. Node's own
// --watch-path loses a file when git or an editor puts another in its place; a folder sees both. nodemon
// signals all descendants of what it runs, and so PostgreSQL's processes, which the site stops in order.

const folders = "{app/server,app/content,supabase}/{,**/}";
/** A save is several events, a change of branches many. */
const quietMs = 100;

let waiting: NodeJS.Timeout | undefined;
let watchers: FSWatcher[] = [];
let site = start();
let restarted = Promise.resolve();

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => void end());
}

function start(): ChildProcess {
  // Each time: folders may be new.
  watchers = globSync(folders).map((folder) => watch(folder, onChange));
  const args = ["app/server/dev.ts", "--dev"];
  const child = spawn(process.execPath, args, { stdio: "inherit" });
  child.once("exit", (code) => {
    if (code) {
      log.error("The site has ended, and starts again when a file changes");
    }
  });
  return child;
}

function onChange(): void {
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    restarted = restarted.then(restart);
  }, quietMs);
}

async function restart(): Promise<void> {
  log.info("A file has changed: the site starts again");
  await stop();
  site = start();
}

async function stop(): Promise<void> {
  watchers.forEach((watcher) => watcher.close());
  if (site.exitCode === null && site.signalCode === null) {
    site.kill();
    await once(site, "exit");
  }
}

async function end(): Promise<void> {
  clearTimeout(waiting);
  await restarted;
  await stop();
  process.exit();
}
