import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { prepareDatabase } from "#embedded/engine/bootstrap.ts";
import { runMigrations } from "#embedded/engine/migrations.ts";
import { openPool, type SqlPool } from "#embedded/sql.ts";
import { migrationsDir } from "./cluster-template.ts";
import { authSchemaFile } from "./database.ts";

/** A database with the site's tables, and a login that can assume the API roles. */
export interface RolesDatabase {
  sql: SqlPool;
  close(): Promise<void>;
}

/** Creates a database on the server at DATABASE_URL, whose user must be a superuser. */
export async function startPlainDatabase(url: string): Promise<RolesDatabase> {
  const name = `row_level_${randomBytes(4).toString("hex")}`;
  const server = openPool({ connectionString: url, max: 1 });
  await server.script(`create database ${name} template template0 encoding 'UTF8' locale 'C'`);
  const address = new URL(url);
  address.pathname = name;
  const sql = openPool({ connectionString: address.href, max: 1, idleTimeoutMillis: 0 });
  await sql.begin(async (transaction) =>
    prepareDatabase(transaction, await readFile(authSchemaFile, "utf8")),
  );
  await sql`set role postgres`;
  await runMigrations(sql, migrationsDir);
  await sql`reset role`;
  return {
    sql,
    close: async () => {
      await sql.end();
      await server.script(`drop database ${name}`);
      await server.end();
    },
  };
}
