import { execFileSync } from "node:child_process";
import { mkdir, readFile, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { endChild, startChild } from "./support/child.ts";
import { startNotes } from "./support/notes-site.ts";
import { childrenOf, isRoot, postmasterPid, socketFolder } from "./support/processes.ts";
import { storeNote, storedNotes } from "./support/stored-notes.ts";
import { useFolder } from "./support/use-folder.ts";

const folder = useFolder();

async function store(dataDir: string, text: string): Promise<void> {
  const server = await startNotes({ dataDir });
  await storeNote(dataDir, text);
  await server.close();
}

const programs = () => readdir("/var/lib/embedded-postgres").catch((): string[] => []);

async function environmentOf(pid: number): Promise<string[]> {
  return (await readFile(`/proc/${pid}/environ`, "utf8")).split("\0").filter(Boolean).toSorted();
}

/** Returns the files and folders in a folder that other users can read or write. */
async function openToOthers(dataDir: string): Promise<string[]> {
  const open: string[] = [];
  for (const name of await readdir(dataDir, { recursive: true })) {
    // PostgreSQL may have removed a temporary file meanwhile.
    const { mode } = (await stat(join(dataDir, name)).catch(() => undefined)) ?? { mode: 0 };
    if (mode & 0o066) {
      open.push(`${name} ${(mode & 0o777).toString(8)}`);
    }
  }
  return open;
}

test("a copy of a running data folder, made by root without its owners, is a separate site", async () => {
  // Only its user can enter it.
  const parent = join(folder.path, "parent");
  await mkdir(parent, { mode: 0o700 });
  const dataDir = join(parent, "data");
  const server = await startNotes({ dataDir });
  try {
    await storeNote(dataDir, "both");
    const copy = join(parent, "copy");
    execFileSync("cp", ["-r", dataDir, copy]);
    const { uid } = await stat(join(copy, "database/cluster/data/PG_VERSION"));
    expect(uid).toBe(process.getuid?.());
    await store(copy, "copy");
    expect(await storedNotes(copy)).toEqual(["both", "copy"]);
    expect(await stat(await socketFolder(dataDir))).toBeDefined();
    await storeNote(dataDir, "original");
  } finally {
    await server.close();
  }
  expect(await storedNotes(dataDir)).toEqual(["both", "original"]);
});

test.each(["000", "077"])(
  "with umask %s only its user can read or write its files",
  async (umask) => {
    // One that is open to all, and one that the site makes.
    const dataDir = join(folder.path, umask === "000" ? "data" : "new/data");
    await mkdir(join(folder.path, "data"), { mode: 0o755 });
    await endChild(await startChild(dataDir, { umask }));
    await endChild(await startChild(dataDir, { umask }));
    expect(await openToOthers(dataDir)).toEqual([]);
  },
);

test.runIf(isRoot)("outside the data folder, root keeps only the programs", async () => {
  const closed = join(folder.path, "closed");
  await mkdir(closed, { mode: 0o700 });
  const before = await programs();
  await (await startNotes({ dataDir: join(closed, "data") })).close();
  const added = (await programs()).filter((name) => !before.includes(name));
  expect(added.filter((name) => !name.startsWith("postgresql-"))).toEqual([]);
});

test.skipIf(process.platform !== "linux")(
  "PostgreSQL and its watchdog get an environment without the site's secrets",
  async () => {
    const dataDir = join(folder.path, "data");
    const child = await startChild(dataDir, {
      env: { OWN_SECRET: "secret" },
    });
    expect((await environmentOf(Number(child.pid))).join("\n")).toContain("OWN_SECRET");
    const processes = childrenOf(Number(child.pid));
    expect(processes).toContain(await postmasterPid(dataDir));
    expect(processes).toHaveLength(2);
    for (const pid of processes) {
      const names = (await environmentOf(pid)).map((entry) => entry.split("=")[0] ?? "");
      expect(names).toEqual(["LC_ALL", "PATH", "TZ"]);
    }
    await endChild(child);
  },
);
