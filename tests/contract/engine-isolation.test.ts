import { execFileSync } from "node:child_process";
import { cp, mkdir, readFile, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { copyCluster } from "#tests/support/cluster-template.ts";
import { startTestServer } from "#tests/support/embedded-server.ts";
import {
  childrenOf,
  endChild,
  insert,
  isRoot,
  openToOthers,
  postmasterPid,
  startChild,
  storedMessages,
} from "#tests/support/engine.ts";
import { socketFolder } from "#tests/support/superuser.ts";
import { useFolder } from "#tests/support/use-folder.ts";

const folder = useFolder();

async function store(dataDir: string, text: string): Promise<void> {
  await copyCluster(dataDir);
  const server = await startTestServer({ dataDir });
  await insert(server, text);
  await server.close();
}

const programs = () => readdir("/var/lib/embedded-postgres").catch((): string[] => []);

async function environmentOf(pid: number): Promise<string[]> {
  return (await readFile(`/proc/${pid}/environ`, "utf8")).split("\0").filter(Boolean).toSorted();
}

describe("a data folder in one that only its user can enter has its own database", () => {
  let parent: string;
  beforeEach(async () => {
    parent = join(folder.path, "parent");
    await mkdir(parent, { mode: 0o700 });
  });

  test("a copy of a running data folder is a separate site", async () => {
    const dataDir = join(parent, "data");
    await copyCluster(dataDir);
    const server = await startTestServer({ dataDir });
    try {
      await insert(server, "both");
      const copy = join(parent, "copy");
      await cp(dataDir, copy, { recursive: true });
      await store(copy, "copy");
      expect(await storedMessages(copy)).toEqual(["both", "copy"]);
      expect(await stat(await socketFolder(dataDir))).toBeDefined();
      await insert(server, "original");
    } finally {
      await server.close();
    }
    expect(await storedMessages(dataDir)).toEqual(["both", "original"]);
  });
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
  await storedMessages(join(closed, "data"));
  const added = (await programs()).filter((name) => !before.includes(name));
  expect(added.filter((name) => !name.startsWith("postgresql-"))).toEqual([]);
});

test.runIf(isRoot)("a database copied by root without its file owner starts", async () => {
  const dataDir = join(folder.path, "data");
  await store(dataDir, "kept");
  const copy = join(folder.path, "copy");
  execFileSync("cp", ["-r", dataDir, copy]);
  expect((await stat(join(copy, "database/cluster/data/PG_VERSION"))).uid).toBe(0);
  expect(await storedMessages(copy)).toEqual(["kept"]);
});

test.skipIf(process.platform !== "linux")(
  "PostgreSQL and its watchdog get an environment without the site's secrets",
  async () => {
    const dataDir = join(folder.path, "data");
    const child = await startChild(dataDir, {
      env: { SMTP_URL: "smtps://me:secret@mail.example" },
    });
    expect((await environmentOf(Number(child.pid))).join("\n")).toContain("SMTP_URL");
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
