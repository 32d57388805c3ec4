import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import manifest from "#package.json" with { type: "json" };
import { newAddress } from "#tests/support/address.ts";
import { tempFolder } from "#tests/support/folder.ts";
import { root } from "#tests/support/spawn-server.ts";
import { withSuperuser } from "#tests/support/superuser.ts";
import { ask } from "#tests/support/visitor.ts";
import { fillInbox } from "./inbox.ts";
import { megabytes, type Outcome, quantile } from "./measure.ts";
import { startSite } from "./servers.ts";

const sizes = { few: 1000, many: 1_000_000 };
const accounts = 10_000;
const quietMs = 20_000;

/** Backs up and restores a thousand messages, and a million with ten thousand accounts. */
export default async function measureCopies(): Promise<Outcome> {
  const few = await copy(sizes.few, 0);
  const many = await copy(sizes.many, accounts);
  return {
    title: "Backup and restore",
    note: `With ${sizes.many} messages and ${accounts} accounts, or ${sizes.few} messages. The site runs during a backup, and gets ten messages a second by its form. A restore makes the database, too. Memory is the peak of the command's own process.`,
    figures: [
      { name: "backup, a thousand", value: few.backup.seconds, unit: "s", atMost: 2 },
      { name: "restore, a thousand", value: few.restore.seconds, unit: "s", atMost: 4 },
      { name: "backup, a million", value: many.backup.seconds, unit: "s" },
      { name: "its file", value: many.megabytes, unit: "MB" },
      { name: "its memory", value: many.backup.peak, unit: "MB", atMost: 150 },
      { name: "p95 of a message without", value: many.quiet, unit: "ms" },
      {
        name: "p95 of a message meanwhile",
        value: many.meanwhile / many.quiet,
        unit: "times",
        atMost: 2,
      },
      { name: "restore, a million", value: many.restore.seconds, unit: "s" },
      { name: "its memory", value: many.restore.peak, unit: "MB", atMost: 150 },
    ],
  };
}

async function copy(messages: number, people: number) {
  await using folder = await tempFolder();
  const DATA_DIR = join(folder.path, "data");
  const BACKUP_DIR = join(folder.path, "backups");
  await fillInbox(DATA_DIR, messages);
  const site = await startSite(DATA_DIR);
  await addAccounts(DATA_DIR, people);
  const quiet = await whileSending(site.url, () => sleep(messages === sizes.few ? 1000 : quietMs));
  const meanwhile = await whileSending(site.url, () =>
    measured("backup", { DATA_DIR, BACKUP_DIR }),
  );
  await site[Symbol.asyncDispose]();
  const [name = ""] = await readdir(BACKUP_DIR);
  const file = join(BACKUP_DIR, name);
  const restore = await measured("restore", { DATA_DIR: join(folder.path, "new") }, file);
  return {
    backup: meanwhile.result,
    restore,
    quiet: quiet.p95,
    meanwhile: meanwhile.p95,
    megabytes: (await stat(file)).size / 1e6,
  };
}

const addAccounts = (dataDir: string, count: number) =>
  withSuperuser(dataDir, async (sql) => {
    await sql`
      insert into auth.users (id, email, encrypted_password, email_confirmed_at, last_sign_in_at)
      select gen_random_uuid(), 'user' || n || '@example.com',
        '$argon2id$v=19$m=19456,t=2,p=1$' || md5(n::text) || '$' || sha256(n::text::bytea), now(), now()
      from generate_series(1, ${count}::integer) n`;
    await sql`
      insert into auth.identities (provider_id, user_id, identity_data, provider)
      select id, id, jsonb_build_object('sub', id, 'email', email), 'email' from auth.users
      on conflict do nothing`;
  });

/** Runs a command. Returns its time and the peak of its memory in MB. Throws if it fails. */
async function measured(
  name: "backup" | "restore",
  env: Record<string, string>,
  ...args: string[]
) {
  const begun = performance.now();
  const [, ...script] = manifest.scripts[name].split(" ");
  const child = spawn(process.execPath, [...script, ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = once(child, "exit");
  let peak = 0;
  const watch = setInterval(async () => {
    peak = Math.max(peak, await megabytes(child.pid ?? 0));
  }, 100);
  const [code] = await ended;
  clearInterval(watch);
  if (code !== 0) {
    throw new Error(`${name} ended with ${code}`);
  }
  return { seconds: (performance.now() - begun) / 1000, peak };
}

/** Sends ten messages a second while something runs. Returns its result and the p95 in milliseconds. */
async function whileSending<Result>(url: string, work: () => Promise<Result>) {
  const times: number[] = [];
  const sending = new Set<Promise<void>>();
  const timer = setInterval(() => {
    const sent = send(url, times).finally(() => sending.delete(sent));
    sending.add(sent);
  }, 100);
  const result = await work();
  clearInterval(timer);
  await Promise.all(sending);
  return { result, p95: quantile(times, 0.95) };
}

async function send(url: string, times: number[]): Promise<void> {
  const form = {
    name: "زائر",
    email: "bench@example.com",
    message: crypto.randomUUID(),
    t_extra: "",
  };
  const begun = performance.now();
  const { status } = await ask({ url }, "POST", "/", {
    headers: {
      Origin: url,
      "Content-Type": "application/x-www-form-urlencoded",
      "X-Forwarded-For": newAddress(),
    },
    body: new URLSearchParams(form).toString(),
  });
  if (status !== 302) {
    throw new Error(`A message was refused: ${status}`);
  }
  times.push(performance.now() - begun);
}
