import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeDatabase, openDatabase } from "#embedded/maintenance.ts";
import { silentLog } from "./support/log.ts";
import { migrationsDir, type NotesSite, startNotes } from "./support/notes-site.ts";
import { useFolder } from "./support/use-folder.ts";

const folder = useFolder();
let site: NotesSite;
beforeAll(async () => {
  site = await startNotes();
});
afterAll(() => site.close());

const never = () => Promise.reject(new Error("never"));

test("a command reads the database of a running site, and makes another with its keys", async () => {
  const running = await openDatabase(site.dataDir, silentLog);
  const client = new Client(running.login);
  await client.connect();
  expect((await client.query("select current_user")).rows).toEqual([{ current_user: "postgres" }]);
  await client.end();
  await running.close();

  const dataDir = join(folder.path, "made");
  const { keyFile } = running;
  const made = { migrationsDir, keyFile, log: silentLog };
  const keys = await makeDatabase(dataDir, made, async (login, itsKeys) => {
    const filler = new Client(login);
    await filler.connect();
    expect((await filler.query("select current_user")).rows).toEqual([
      { current_user: "postgres" },
    ]);
    await filler.query("insert into auth.users (id) values (gen_random_uuid())");
    await filler.end();
    return itsKeys;
  });
  expect(keys).toBe(running.keys);

  const stopped = await openDatabase(dataDir, silentLog);
  const reader = new Client(stopped.login);
  await reader.connect();
  expect((await reader.query("select from auth.users")).rowCount).toBe(1);
  await reader.end();
  await stopped.close();
});

test("a command uses the database that another one started, which stops it", async () => {
  const dataDir = join(folder.path, "shared");
  const made = { migrationsDir, keyFile: undefined, log: silentLog };
  await makeDatabase(dataDir, made, async () => undefined);
  const first = await openDatabase(dataDir, silentLog);
  const second = await openDatabase(dataDir, silentLog);
  expect(second.login.host).toBe(first.login.host);
  await second.close();
  const client = new Client(first.login);
  await client.connect();
  await client.end();
  await first.close();
  await expect(new Client(first.login).connect()).rejects.toMatchObject({ code: "ENOENT" });
});

test("a database is made in an empty folder alone, and opened where there is one", async () => {
  const made = { migrationsDir, keyFile: undefined, log: silentLog };
  await expect(makeDatabase(site.dataDir, made, never)).rejects.toMatchObject({ code: "in-use" });
  await expect(openDatabase(folder.path, silentLog)).rejects.toMatchObject({ code: "empty" });
  // What `fill` throws leaves nothing behind.
  const dataDir = join(folder.path, "new");
  await expect(makeDatabase(dataDir, made, never)).rejects.toThrow("never");
  await expect(openDatabase(dataDir, silentLog)).rejects.toMatchObject({ code: "empty" });
});
