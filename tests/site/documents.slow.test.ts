import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  commands,
  healthy,
  install,
  keepSending,
  onPort,
  storedMessages,
} from "#tests/support/server/installed.ts";
import {
  type Server,
  shellBlocks,
  startServer,
  whyNoServer,
} from "#tests/support/server/server.ts";
import { freePort } from "#tests/support/site.ts";
import { root } from "#tests/support/spawn-server.ts";

// The blocks of DEPLOY.md and BACKUPS.md, in order and as written: from a fresh clone to an upgraded
// folder. systemctl, journalctl and npm ci are stand-ins, see tests/support/server.
const reason = whyNoServer();
if (reason !== undefined) {
  console.info(`Skipped: the commands of the documents, because ${reason}.`);
}

/** A migration of the next version. */
const next = "supabase/migrations/29990101000000_next.sql";

/** Returns the one block of a section of BACKUPS.md. */
const block = async (name: string) =>
  (await shellBlocks(".github/BACKUPS.md", `## ${name}`)).join("");

describe.runIf(reason === undefined)("on a server", () => {
  let server: Server;
  let url: string;
  beforeAll(async () => {
    url = `http://localhost:${await freePort()}`;
    server = await startServer();
  });
  afterAll(() => server?.stop());

  const lastBackup = async () => (await (await fetch(`${url}/healthz`)).json()).lastBackup;
  const untilReady = () =>
    expect.poll(() => healthy(url), { timeout: 60_000, interval: 100 }).toBe(200);

  /** Accepted messages of the whole file. */
  let accepted = 0;

  /** Runs a block while messages come in. Resolves to its output, and how the statuses were as signs. */
  async function whileSending(shell: string): Promise<{ said: string; gaps: string }> {
    const done = new AbortController();
    const visitors = keepSending(url, done.signal);
    const said = await server.run(`${shell}\necho "status 0"`).catch(String);
    done.abort();
    const gaps = (await visitors).map((status) => (status === 302 ? "." : "x")).join("");
    accepted += gaps.replaceAll("x", "").length;
    return { said, gaps };
  }

  test("root may try the site first", async () => {
    const said = await server.run(`mkdir /srv/trial && cd ${root}
    DATA_DIR=/srv/trial/data PORT=${new URL(url).port} ${process.execPath} app/server/main.ts >/srv/trial/log &
    until grep --quiet 'is ready' /srv/trial/log; do kill -0 $!; sleep 0.1; done
    kill $! && wait $! && cat /srv/trial/log && rm -r /srv/trial`);
    expect(said).toContain("PostgreSQL does not run as root");
  });

  test("a site is set up as DEPLOY.md says, on a system with its usual skeleton of homes, and serves an old build where it cannot make another", async () => {
    expect(await install(server, url)).toContain("Make your account at");
    expect(await server.run("stat --format '%a %U' /srv/tawasul/site/.env")).toBe("600 tawasul\n");
    const log = await server.run("journalctl --unit tawasul");
    expect(log).toContain("Tawasul is ready");
    // Its content is newer than the build.
    expect(log).toMatch(
      /warn +The pages are older than their sources, and cannot be built here \(the folder is read-only\)/,
    );
    await expect.poll(lastBackup, { timeout: 40_000 }).toMatchObject({ time: expect.any(String) });
    expect(await server.run("ls /var/backups/tawasul")).toMatch(/^your\.site-.*\.jsonl\.zst$/m);
  }, 600_000);

  test("backup and sql reach the running unit, and name files of root in the data folder", async () => {
    expect((await whileSending("sleep 1")).gaps).toMatch(/^\.+$/);
    const [backup = ""] = await commands();
    expect(await server.run(backup)).toContain("is complete and verified");
    expect(await storedMessages(server)).toHaveLength(accepted);
    await server.run("chown root /var/lib/tawasul/site.lock");
    await expect(server.run(backup)).rejects.toThrow(
      "The folder /var/lib/tawasul has files of another user, perhaps root's: run chown -R",
    );
    await server.run("chown tawasul /var/lib/tawasul/site.lock");
  });

  test("an update that cannot begin or be built ends with 1, and no visitor notices", async () => {
    const [update = ""] = await shellBlocks(".github/DEPLOY.md", "### An update");
    // Pasted into a shell, which goes on after an error: a clone that holds data, as a .env without
    // DATA_DIR would have it, stops all of it.
    for (const data of ["site/.data", "next/.data"]) {
      await server.run(`mkdir --parents /srv/tawasul/${data}`);
      await expect(server.run(`set +e\n${update}`)).rejects.toThrow(`${data}\n`);
      await server.run(`cd /srv/tawasul && rmdir ${data} && ! ls -d last`);
    }
    await server.run("rmdir /srv/tawasul/next");
    await server.commit("app/routes.ts", "export {");
    const { said, gaps } = await whileSending(onPort(update, url));
    expect(said).toMatch(
      /The block ended with 1:[^]*The update failed: the running site is as it was\.\n$/,
    );
    expect(gaps).toMatch(/^\.+$/);
    await server.commit("app/routes.ts", await readFile(join(root, "app/routes.ts"), "utf8"));
  }, 600_000);

  test("an update whose migration fails says so, ends with 1, and puts the site before it back", async () => {
    const [update = ""] = await shellBlocks(".github/DEPLOY.md", "### An update");
    await server.commit(next, "select 1 / 0;");
    const { said, gaps } = await whileSending(onPort(update, url));
    expect(said).toMatch(/The block ended with 1:/);
    expect(said).toContain("The migration 29990101000000_next.sql failed: division by zero");
    expect(said).toMatch(/The update failed, and the site before it runs again\.\n$/);
    expect(gaps).toMatch(/^\.+x+\.*$/);
    expect(await healthy(url)).toBe(200);
    expect(await storedMessages(server)).toHaveLength(accepted);
  }, 600_000);

  test("messages are taken during an update, except for some seconds, and the way back over its migration loses what came after alone, which can be read", async () => {
    const [update = "", back = "", inspect = ""] = await shellBlocks(
      ".github/DEPLOY.md",
      "### An update",
    );
    await server.commit(next, "create table private.next (id int primary key);");
    const { said, gaps } = await whileSending(onPort(update, url));
    expect(said).toMatch(
      /The update is done: the line above names the version that runs\.\nstatus 0\n$/,
    );
    // Once, from stop to start: none is refused while the packages come and the pages are built.
    expect(gaps).toMatch(/^\.+x{1,80}\.*$/);
    expect(await server.run("ls /srv/tawasul")).toBe("last\nsite\n");
    const before = accepted - (/\.*$/.exec(gaps)?.[0].length ?? 0);
    expect((await whileSending("sleep 1")).gaps).toMatch(/^\.+$/);
    expect(await storedMessages(server)).toHaveLength(accepted);

    // The old version refuses the data at once, and nobody waits for a minute.
    await server.run(onPort(back, url).replace("--retry 60", "--retry 1"));
    await expect
      .poll(() => server.run("journalctl --unit tawasul"))
      .toContain("Another version of the site made it");
    const [, file = ""] = /\/(\S+) is complete and verified/.exec(said) ?? [];
    const restore = await block("Restore");
    const restored = await server.run(restore.replace("/var/backups/tawasul/FILE", `/${file}`));
    expect(restored).toMatch(
      /is as it was on .* npm start opens it\.\n.*contact_messages: \d+ of \d+ rows restored/s,
    );
    await untilReady();
    expect(await storedMessages(server)).toHaveLength(before);
    const old = await server.run(inspect);
    expect(old.match(/^\{.*"message":/gm)).toHaveLength(Math.min(accepted, 50));
    accepted = before;
  }, 600_000);

  test("a backup moves to an empty database alone, and an old folder is upgraded, as BACKUPS.md says", async () => {
    const [backup = ""] = await commands();
    expect(await block("Back up")).toBe(`${backup}\n`);
    const newest = "$(ls -t /var/backups/tawasul | head -1)";
    // Into the same database, which is in use.
    const database = await server.run(`cd /var/lib/tawasul/database/cluster
      host=$(sed -n 5p data/postmaster.pid) password=$(cat superuser-password)
      echo "postgresql:///postgres?host=$host&user=supabase_admin&password=$password&options=-c%20role%3Dpostgres&sslmode=disable"`);
    const move = (await block("Move")).replace("postgresql://…", database.trim());
    await expect(server.run(move.replace("FILE", newest))).rejects.toThrow(
      "The database is in use",
    );
    await server.run("rm -r /var/lib/tawasul-before");
    await server.run((await block("Upgrade")).replace("FILE", newest));
    await untilReady();
    expect(await storedMessages(server)).toHaveLength(accepted);
  });
});
