import { createHash, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Sql } from "#embedded/sql.ts";
import { connectAsSuperuser, type SuperuserAccess } from "./superuser.ts";

const loginRoles = [
  "postgres",
  "authenticator",
  "service_authenticator",
  "supabase_auth_admin",
] as const;
export type LoginRole = (typeof loginRoles)[number];
export type Passwords = Record<LoginRole, string>;

/** Prepares the cluster in one transaction. Returns new passwords of the login roles. */
export async function bootstrap(cluster: SuperuserAccess, authSchema: string): Promise<Passwords> {
  const passwords = Object.fromEntries(
    loginRoles.map((role) => [role, randomBytes(24).toString("base64url")]),
  ) as Passwords;
  const sql = connectAsSuperuser(cluster);
  try {
    await sql.begin(async (transaction) => {
      await prepareDatabase(transaction, authSchema);
      for (const role of loginRoles) {
        await transaction.script(`alter role ${role} password '${passwords[role]}'`);
      }
    });
    return passwords;
  } finally {
    await sql.end();
  }
}

/** Creates what migrations for hosted projects expect. Needs a superuser. Idempotent. */
export async function prepareDatabase(sql: Sql, authSchema: string): Promise<void> {
  await sql.script(await readFile(new URL("roles.sql", import.meta.url), "utf8"));
  await sql.script(await readFile(new URL("schemas.sql", import.meta.url), "utf8"));
  await runWhenChanged(sql, "auth/schema.sql", authSchema);
}

async function runWhenChanged(sql: Sql, name: string, text: string): Promise<void> {
  const sha256 = createHash("sha256").update(text).digest("hex");
  const known = await sql`select from embedded.scripts where name = ${name} and sha256 = ${sha256}`;
  if (known.length > 0) {
    return;
  }
  await sql`set local role supabase_auth_admin`;
  await sql`set local search_path = auth, extensions`;
  await sql.script(text);
  await sql`reset role`;
  await sql`
    insert into embedded.scripts (name, sha256) values (${name}, ${sha256})
    on conflict (name) do update set sha256 = excluded.sha256`;
}
