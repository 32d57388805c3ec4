import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
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

// The updates of DEPLOY that do not go well, with its blocks as written, while visitors send messages.
const reason = whyNoServer();
if (reason !== undefined) {
  console.info(`Skipped: the failing updates of DEPLOY, because ${reason}.`);
}

const next = "supabase/migrations/29990101000000_next.sql";

let server: Server;
let url: string;
let update: string;
let back: string;
let inspect: string;
beforeAll(async () => {
  if (reason !== undefined) {
    return;
  }
  url = `http://localhost:${await freePort()}`;
  server = await startServer();
  const blocks = await shellBlocks(".github/DEPLOY.md", "### An update");
  [update = "", back = "", inspect = ""] = blocks.map((block) => onPort(block, url));
  await install(server, url);
}, 600_000);
afterAll(() => server?.stop());

/** Accepted messages of the whole test. */
let accepted = 0;

/** Runs a block while messages come in. Resolves to its output, and how the statuses were as signs. */
async function whileSending(block: string): Promise<{ said: string; gaps: string }> {
  const done = new AbortController();
  const visitors = keepSending(url, done.signal);
  const said = await server.run(`${block}\necho "status 0"`).catch(String);
  done.abort();
  const signs = (await visitors).map((status) => (status === 302 ? "." : "x"));
  accepted += signs.filter((sign) => sign === ".").length;
  return { said, gaps: signs.join("") };
}

test.runIf(reason === undefined)(
  "an update that cannot be built ends with 1, and no visitor notices",
  async () => {
    await server.commit("app/site.ts", "export {");
    const { said, gaps } = await whileSending(update);
    expect(said).toMatch(
      /The block ended with 1:[^]*The update failed: the running site is as it was\.\n$/,
    );
    expect(gaps).toMatch(/^\.+$/);
    await server.commit("app/site.ts", await readFile(join(root, "app/site.ts"), "utf8"));
  },
  600_000,
);

test.runIf(reason === undefined)(
  "an update whose migration fails says so, ends with 1, and puts the site before it back",
  async () => {
    await server.commit(next, "select 1 / 0;");
    const { said, gaps } = await whileSending(update);
    expect(said).toMatch(/The block ended with 1:/);
    expect(said).toContain("The migration 29990101000000_next.sql failed: division by zero");
    expect(said).toMatch(/The update failed, and the site before it runs again\.\n$/);
    expect(gaps).toMatch(/^\.+x+\.*$/);
    expect(await healthy(url)).toBe(200);
    expect(await storedMessages(server)).toHaveLength(accepted);
  },
  600_000,
);

test.runIf(reason === undefined)(
  "the way back over a migration loses what came after the change-over alone, and that can be read",
  async () => {
    await server.commit(next, "create table private.next (id int primary key);");
    const { said, gaps } = await whileSending(update);
    expect(said).toMatch(
      /The update is done: the line above names the version that runs\.\nstatus 0\n$/,
    );
    expect(gaps).toMatch(/^\.+x+\.*$/);
    const before = accepted - (/\.*$/.exec(gaps)?.[0].length ?? 0);
    const later = await whileSending("sleep 2");
    expect(later.gaps).toMatch(/^\.+$/);
    expect(await storedMessages(server)).toHaveLength(accepted);

    expect(await server.run(back)).toContain("Another version of the site made it");
    const [, file = ""] = /\/(\S+) is complete and verified/.exec(said) ?? [];
    const [restore = ""] = await shellBlocks(".github/BACKUPS.md", "## Restore");
    await server.run(restore.replace("/var/backups/tawasul/FILE", `/${file}`));
    await expect.poll(() => healthy(url), { timeout: 60_000 }).toBe(200);
    expect(await storedMessages(server)).toHaveLength(before);
    const old = await server.run(inspect);
    expect(old.match(/^\{.*"message":/gm)).toHaveLength(Math.min(accepted, 50));
  },
  600_000,
);
