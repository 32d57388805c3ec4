import { createHash, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { TransactionSql } from "postgres";
import { connectAsSuperuser, type SuperuserAccess } from "./superuser.ts";

/** Roles that log in; none of them is a superuser. */
const LOGIN_ROLES = [
  "postgres",
  "authenticator",
  "service_authenticator",
  "realtime_authenticator",
  "supabase_auth_admin",
  "supabase_replication_admin",
] as const;
export type LoginRole = (typeof LOGIN_ROLES)[number];
export type Passwords = Record<LoginRole, string>;

/**
 * Prepares the site's own cluster (see prepareDatabase) and gives new passwords to the roles
 * that log in, valid until the next start. One transaction: a kill leaves the old state.
 */
export async function bootstrap(cluster: SuperuserAccess, authSchema: string): Promise<Passwords> {
  const passwords = Object.fromEntries(
    LOGIN_ROLES.map((role) => [role, randomBytes(24).toString("base64url")]),
  ) as Passwords;
  const sql = connectAsSuperuser(cluster);
  try {
    await sql.begin(async (transaction) => {
      await prepareDatabase(transaction, authSchema);
      for (const role of LOGIN_ROLES) {
        await transaction.unsafe(`alter role ${role} password '${passwords[role]}'`);
      }
    });
    return passwords;
  } finally {
    await sql.end();
  }
}

/**
 * Brings a database to the state that migrations of a hosted project expect: roles, schemas,
 * default privileges, `auth` functions, publication; then runs `authSchema` (the text of
 * auth/schema.sql) as supabase_auth_admin if it changed. Needs a superuser's transaction.
 */
export async function prepareDatabase(sql: TransactionSql, authSchema: string): Promise<void> {
  await sql.unsafe(await readFile(new URL("roles.sql", import.meta.url), "utf8"));
  await sql.unsafe(await readFile(new URL("schemas.sql", import.meta.url), "utf8"));
  await runWhenChanged(sql, "auth/schema.sql", authSchema);
}

async function runWhenChanged(sql: TransactionSql, name: string, text: string): Promise<void> {
  const sha256 = createHash("sha256").update(text).digest("hex");
  const known = await sql`select from embedded.scripts where name = ${name} and sha256 = ${sha256}`;
  if (known.length > 0) {
    return;
  }
  await sql`set local role supabase_auth_admin`;
  await sql`set local search_path = auth, extensions`;
  await sql.unsafe(text);
  await sql`reset role`;
  await sql`
    insert into embedded.scripts (name, sha256) values (${name}, ${sha256})
    on conflict (name) do update set sha256 = excluded.sha256`;
}
