import { createHash } from "node:crypto";
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@supabase/supabase-js";
import { TOTP } from "otpauth";
import type { Sql } from "postgres";
import { startCluster } from "#embedded/engine/cluster.ts";
import { connectAsSuperuser } from "#embedded/engine/superuser.ts";
import { authSchemaFile, migrationsDir } from "#tests/support/database.ts";
import { startTestServer, type TestServer } from "#tests/support/embedded-server.ts";

// Records what a release made, before it is published: node tests/releases/record.ts 1.0
// migrations.json has the hashes of its migrations, data.json the rows and keys of a data folder.

const version = process.argv[2] ?? "";
const folder = new URL(`${version}/`, import.meta.url);
if (!/^\d+\.\d+$/.test(version)) {
  throw new Error("Name the release, such as 1.0.");
}
await mkdir(folder, { recursive: true });
await write("migrations.json", await migrationHashes());
await cp(authSchemaFile, new URL("auth-schema.sql", folder));
await write("data.json", await recordData());

async function write(name: string, content: unknown): Promise<void> {
  await writeFile(new URL(name, folder), `${JSON.stringify(content, undefined, 2)}\n`);
}

async function migrationHashes(): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {};
  for (const file of (await readdir(migrationsDir)).toSorted()) {
    const text = await readFile(join(migrationsDir, file));
    hashes[file] = createHash("sha256").update(text).digest("hex");
  }
  return hashes;
}

async function recordData() {
  const parent = await mkdtemp(join(tmpdir(), "release-"));
  // The system user of PostgreSQL must be able to pass when this runs as root.
  await chmod(parent, 0o711);
  const dataDir = join(parent, "data");
  try {
    const server = await startTestServer({ dataDir });
    const accounts = await fill(server).finally(() => server.close());
    const keys: unknown = JSON.parse(await readFile(join(dataDir, "keys.json"), "utf8"));
    const cluster = await startCluster(dataDir, console);
    const sql = connectAsSuperuser(cluster);
    try {
      return { accounts, keys, rows: await readRows(sql) };
    } finally {
      await sql.end();
      await cluster.stop();
    }
  } finally {
    await rm(parent, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** Two accounts, one of them the inbox's owner with a second factor, and some messages. */
async function fill(server: TestServer) {
  const client = (key = server.publishableKey) =>
    createClient(server.url, key, { auth: { persistSession: false } });
  const owner = client();
  const reader = client();
  sound(await owner.auth.signUp(credentials("owner")));
  sound(await reader.auth.signUp(credentials("reader")));
  const { id: factorId, totp } = sound(await owner.auth.mfa.enroll({ factorType: "totp" }));
  const code = new TOTP({ secret: totp.secret }).generate();
  sound(await owner.auth.mfa.challengeAndVerify({ factorId, code }));
  const recoveryCodes: string[] = sound(await owner.rpc("renew_recovery_codes"));
  const claimCode = sound(await client(server.secretKey).rpc("new_claim_code"));
  sound(await owner.rpc("claim_inbox", { code: claimCode }));
  sound(
    await client()
      .from("contact_messages")
      .insert([
        message("noura@example.com", "أريد صفحة هبوط.\nوشكرًا"),
        message("محمد@مثال.السعودية", "رسالة ثانية"),
        { ...message("spam@example.com", "رسالة مزعجة"), spam_signs: ["trap"] },
      ]),
  );
  return {
    owner: {
      ...credentials("owner"),
      totpSecret: totp.secret,
      recoveryCode: recoveryCodes[0],
    },
    reader: credentials("reader"),
  };
}

function message(email: string, text: string) {
  return { name: "نورة السالم", email, message: text };
}

function credentials(name: string) {
  return { email: `${name}@example.com`, password: `${name} of ${version}` };
}

function sound<Data>({ data, error }: { data: Data; error: Error | null }): NonNullable<Data> {
  if (error) {
    throw error;
  }
  return data as NonNullable<Data>;
}

/** The rows of all tables but the counts of attempts, which no crash leaves either. */
async function readRows(sql: Sql): Promise<Record<string, unknown>> {
  const tables = await sql<{ name: string }[]>`
    select format('%I.%I', n.nspname, c.relname) as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('auth', 'private', 'public') and c.relkind = 'r' and c.relpersistence = 'p'
    order by 1`;
  const rows: Record<string, unknown> = {};
  for (const { name } of tables) {
    const [table] = await sql.unsafe(
      `select coalesce(json_agg(t), '[]')::text as rows from ${name} t`,
    );
    rows[name] = JSON.parse(table?.["rows"]);
  }
  return rows;
}
