import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import postgres, { type Sql } from "postgres";
import { prepareDatabase } from "#embedded/engine/bootstrap.ts";
import { runMigrations } from "#embedded/engine/migrations.ts";
import { migrationsDir } from "./cluster-template.ts";
import { authSchemaFile } from "./database.ts";

/** A database with the site's tables, and a login that can assume the API roles. */
export interface RolesDatabase {
  sql: Sql;
  close(): Promise<void>;
}

/** Creates a database on the server at DATABASE_URL, whose user must be a superuser. */
export async function startPlainDatabase(url: string): Promise<RolesDatabase> {
  const name = `row_level_${randomBytes(4).toString("hex")}`;
  const server = postgres(url, { max: 1 });
  await server.unsafe(`create database ${name} template template0 encoding 'UTF8' locale 'C'`);
  const sql = postgres(url, { database: name, max: 1, onnotice: () => undefined });
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
      await server.unsafe(`drop database ${name}`);
      await server.end();
    },
  };
}
