import { afterAll, beforeAll, expect, test } from "vitest";
import {
  commands,
  healthy,
  install,
  keepSending,
  onPort,
  sendMessage,
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

// The blocks of DEPLOY.md and BACKUPS.md, in order and as written: from a fresh clone to a restored
// backup. systemctl, journalctl and npm ci are stand-ins, see tests/support/server.
const reason = whyNoServer();
if (reason !== undefined) {
  console.info(`Skipped: the commands of the documents, because ${reason}.`);
}

let server: Server;
let url: string;
beforeAll(async () => {
  if (reason === undefined) {
    url = `http://localhost:${await freePort()}`;
    server = await startServer();
  }
}, 120_000);
afterAll(() => server?.stop());

/** Returns the one block of a section of BACKUPS.md. */
const block = async (name: string) =>
  (await shellBlocks(".github/BACKUPS.md", `## ${name}`)).join("");

const lastBackup = async () => (await (await fetch(`${url}/healthz`)).json()).lastBackup;
const untilReady = () =>
  expect.poll(() => healthy(url), { timeout: 60_000, interval: 100 }).toBe(200);
const send = (message: string) => sendMessage(url, message);
const messages = async () => (await storedMessages(server)).join("\n");

test.runIf(reason === undefined)("root may try the site on the server first", async () => {
  const said = await server.run(`mkdir /srv/trial && cd ${root}
    DATA_DIR=/srv/trial/data PORT=${new URL(url).port} ${process.execPath} app/server/main.ts >/srv/trial/log &
    until grep --quiet 'is ready' /srv/trial/log; do kill -0 $!; sleep 0.1; done
    kill $! && wait $! && cat /srv/trial/log && rm -r /srv/trial`);
  expect(said).toContain("PostgreSQL does not run as root");
});

test.runIf(reason === undefined)(
  "a server is set up as DEPLOY.md says, on a system with its usual skeleton of homes",
  async () => {
    expect(await install(server, url)).toContain("Make your account at");
    expect(await server.run("stat --format '%a %U' /srv/tawasul/site/.env")).toBe("600 tawasul\n");
    expect(await send("الأولى")).toBe(302);
    expect(await server.run("journalctl --unit tawasul")).toContain("Tawasul is ready");
  },
  600_000,
);

test.runIf(reason === undefined)("the night's backup is written under the unit", async () => {
  await expect.poll(lastBackup, { timeout: 40_000 }).toMatchObject({ time: expect.any(String) });
  expect(await server.run("ls /var/backups/tawasul")).toMatch(/^your\.site-.*\.jsonl\.zst$/m);
});

test.runIf(reason === undefined)(
  "backup and sql reach the running unit as DEPLOY.md writes them",
  async () => {
    const [backup = ""] = await commands();
    expect(await server.run(backup)).toContain("is complete and verified");
    expect(await messages()).toContain("الأولى");
  },
);

test.runIf(reason === undefined)(
  "content that is newer than the build is served old under the unit, which cannot build",
  async () => {
    await server.run(`systemctl stop tawasul
      su - tawasul -c 'touch site/app/content/owner.ts'
      systemctl start tawasul`);
    await untilReady();
    expect(await server.run("journalctl --unit tawasul")).toMatch(
      /warn +The pages are older than their sources, and cannot be built here \(the folder is read-only\)/,
    );
  },
);

test.runIf(reason === undefined)("files of root in the data folder are named as such", async () => {
  const [backup = ""] = await commands();
  await server.run("chown root /var/lib/tawasul/site.lock");
  await expect(server.run(backup)).rejects.toThrow(
    "The folder /var/lib/tawasul has files of another user, perhaps root's: run chown -R",
  );
  await server.run("chown tawasul /var/lib/tawasul/site.lock");
});

test.runIf(reason === undefined)(
  "messages are taken during an update, except for the seconds that DEPLOY.md names",
  async () => {
    const [update = "", back = ""] = await shellBlocks(".github/DEPLOY.md", "### An update");
    // Pasted into a shell, which goes on after an error: a clone that holds data, as a .env without
    // DATA_DIR would have it, stops all of it.
    for (const data of ["site/.data", "next/.data"]) {
      await server.run(`mkdir --parents /srv/tawasul/${data}`);
      await expect(server.run(`set +e\n${update}`)).rejects.toThrow(`${data}\n`);
      await server.run(`cd /srv/tawasul && rmdir ${data} && ! ls -d last`);
      expect(await healthy(url)).toBe(200);
    }
    await server.run("rmdir /srv/tawasul/next");
    const updating = new AbortController();
    const visitors = keepSending(url, updating.signal);
    expect(await server.run(onPort(update, url))).toContain("The update is done");
    updating.abort();
    const statuses = await visitors;
    expect(await send("بعد التحديث")).toBe(302);
    // Once, from stop to start: none is refused while the packages come and the pages are built.
    const gaps = statuses.map((status) => (status === 302 ? "." : "x")).join("");
    expect(gaps).toMatch(/^\.+x{1,80}\.*$/);
    const kept = await storedMessages(server);
    expect(kept).toHaveLength(2 + statuses.filter((status) => status === 302).length);
    expect(await server.run("ls /srv/tawasul")).toBe("last\nsite\n");

    expect(await server.run(onPort(back, url))).toContain('"process":"ok"');
    expect(await storedMessages(server)).toEqual(kept);
    expect(await server.run("ls /srv/tawasul")).toBe("next\nsite\n");
  },
  600_000,
);

test.runIf(reason === undefined)(
  "a backup is made and restored, moves, and an old folder is upgraded, as BACKUPS.md says",
  async () => {
    const [file = ""] = (await server.run("ls -t /var/backups/tawasul")).split("\n");
    expect(await server.run(await block("Back up"))).toContain("is complete and verified");
    const said = await server.run((await block("Restore")).replace("FILE", file));
    expect(said).toMatch(
      /is as it was on .* npm start opens it\.\n.*contact_messages: \d+ of \d+ rows restored/s,
    );
    await untilReady();
    expect(await messages()).toMatch(/الأولى(?!.*بعد التحديث)/s);
    // Into the same database, which is in use.
    const database = await server.run(`cd /var/lib/tawasul/database/cluster
      host=$(sed -n 5p data/postmaster.pid) password=$(cat superuser-password)
      echo "postgresql:///postgres?host=$host&user=supabase_admin&password=$password&options=-c%20role%3Dpostgres&sslmode=disable"`);
    const move = (await block("Move")).replace("postgresql://…", database.trim());
    await expect(server.run(move.replace("FILE", file))).rejects.toThrow("The database is in use");
    await server.run("rm -r /var/lib/tawasul-before");
    const newest = "$(ls -t /var/backups/tawasul | head -1)";
    await server.run((await block("Upgrade")).replace("FILE", newest));
  },
  240_000,
);
