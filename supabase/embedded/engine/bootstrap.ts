import { randomBytes } from "node:crypto";
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
export async function bootstrap(cluster: SuperuserAccess): Promise<Passwords> {
  const passwords = Object.fromEntries(
    loginRoles.map((role) => [role, randomBytes(24).toString("base64url")]),
  ) as Passwords;
  const sql = connectAsSuperuser(cluster);
  try {
    await sql.begin(async (transaction) => {
      await prepareDatabase(transaction);
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
export async function prepareDatabase(sql: Sql): Promise<void> {
  for (const file of ["roles.sql", "schemas.sql", "auth.sql"]) {
    await sql.script(await readFile(new URL(file, import.meta.url), "utf8"));
  }
}
