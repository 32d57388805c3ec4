import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect } from "vitest";
import { copyCluster } from "./cluster-template.ts";
import { runCommand } from "./command.ts";
import { startTestServer } from "./embedded-server.ts";
import { insert } from "./engine.ts";
import { tempFolder } from "./folder.ts";
import { useFolder } from "./use-folder.ts";

const run = promisify(execFile);
const copy = (from: string, to: string) => run("cp", ["-a", `${from}/.`, to]);

/** Creates a folder for a site and its backups before each test. */
export function useBackups() {
  const folder = useFolder();
  /** The data folder and the backup that the file's first test made, for its others to copy. */
  const made: Awaited<ReturnType<typeof tempFolder>>[] = [];
  afterAll(() => made[0]?.[Symbol.asyncDispose]());

  /** Returns the settings of a site in the test's folder. */
  const settings = (name = "data") => ({
    DATA_DIR: join(folder.path, name),
    BACKUP_DIR: join(folder.path, "backups"),
  });

  /** Creates a data folder with a message, and its backup. Returns the backup's path. */
  async function makeBackup(): Promise<string> {
    if (made[0]) {
      await copy(made[0].path, folder.path);
      return onlyBackup();
    }
    await copyCluster(settings().DATA_DIR);
    const server = await startTestServer({ dataDir: settings().DATA_DIR });
    await insert(server, "kept");
    await server.close();
    const { code, errors } = await runCommand("backup", settings());
    expect([code, errors]).toEqual([0, ""]);
    const first = await tempFolder();
    await copy(folder.path, first.path);
    made.push(first);
    return onlyBackup();
  }

  async function onlyBackup(): Promise<string> {
    const names = await readdir(settings().BACKUP_DIR);
    expect(names).toHaveLength(1);
    return join(settings().BACKUP_DIR, names[0] ?? "");
  }

  return { folder, settings, makeBackup, onlyBackup };
}
