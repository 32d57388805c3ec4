import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { copyCluster } from "./cluster-template.ts";
import { runCommand } from "./command.ts";
import { startTestServer } from "./embedded-server.ts";
import { insert } from "./engine.ts";
import { useFolder } from "./use-folder.ts";

/** Creates a folder for a site and its backups before each test. */
export function useBackups() {
  const folder = useFolder();

  /** Returns the settings of a site in the test's folder. */
  const settings = (name = "data") => ({
    DATA_DIR: join(folder.path, name),
    BACKUP_DIR: join(folder.path, "backups"),
  });

  /** Creates a data folder with a message, and its backup. Returns the backup's path. */
  async function makeBackup(env: Record<string, string> = {}): Promise<string> {
    await copyCluster(settings().DATA_DIR);
    const server = await startTestServer({ dataDir: settings().DATA_DIR });
    await insert(server, "kept");
    await server.close();
    const { code, errors } = await runCommand("backup", { ...settings(), ...env });
    expect([code, errors]).toEqual([0, ""]);
    return onlyBackup();
  }

  async function onlyBackup(): Promise<string> {
    const names = await readdir(settings().BACKUP_DIR);
    expect(names).toHaveLength(1);
    return join(settings().BACKUP_DIR, names[0] ?? "");
  }

  return { folder, settings, makeBackup, onlyBackup };
}
