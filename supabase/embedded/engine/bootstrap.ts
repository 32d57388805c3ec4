import { createHmac } from "node:crypto";
import { readFile } from "node:fs/promises";
import { openPool, type Sql } from "#embedded/sql.ts";
import { connectAsSuperuser, loginAs, type SuperuserAccess } from "./superuser.ts";

const loginRoles = [
  "postgres",
  "authenticator",
  "service_authenticator",
  "supabase_auth_admin",
] as const;
export type LoginRole = (typeof loginRoles)[number];
export type Passwords = Record<LoginRole, string>;

const files = ["roles.sql", "schemas.sql", "auth.sql", "../live/changes.sql"];

/** SQLSTATE invalid_password, which a role that does not exist has too. */
const wrongPassword = "28P01";

/**
 * Prepares the cluster in one transaction, unless these files have prepared it. They are a part of the
 * passwords, so a password that opens shows that, and a start writes nothing: the disk may be full.
 * Returns the passwords of the login roles.
 * @param key of the data folder
 */
export async function bootstrap(cluster: SuperuserAccess, key: Buffer): Promise<Passwords> {
  const text = await readFiles();
  const passwordOf = (role: LoginRole) =>
    createHmac("sha256", key).update(`${role}\n${text}`).digest("base64url");
  const passwords = Object.fromEntries(
    loginRoles.map((role) => [role, passwordOf(role)]),
  ) as Passwords;
  if (await opens(cluster.socketDir, passwords.postgres)) {
    return passwords;
  }
  const sql = connectAsSuperuser(cluster);
  try {
    await sql.begin(async (transaction) => {
      await transaction.script(text);
      for (const role of loginRoles) {
        await transaction.script(`alter role ${role} password '${passwords[role]}'`);
      }
    });
    return passwords;
  } finally {
    await sql.end();
  }
}

/** Whether the password is that of role postgres. Rejects if the server does not answer. */
async function opens(socketDir: string, password: string): Promise<boolean> {
  const sql = openPool({ ...loginAs("postgres", password, socketDir), max: 1 });
  try {
    await sql`select`;
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === wrongPassword) {
      return false;
    }
    throw error;
  } finally {
    await sql.end();
  }
}

/** Creates what migrations for hosted projects expect. Needs a superuser. Idempotent. */
export async function prepareDatabase(sql: Sql): Promise<void> {
  await sql.script(await readFiles());
}

async function readFiles(): Promise<string> {
  const texts = files.map((file) => readFile(new URL(file, import.meta.url), "utf8"));
  return (await Promise.all(texts)).join("\n");
}
