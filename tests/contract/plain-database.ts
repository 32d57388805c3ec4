import { randomBytes } from "node:crypto";
import { openPool, prepareDatabase, runMigrations } from "embedded-supabase/testing";
import { migrationsDir } from "#tests/support/cluster-template.ts";

/** Another server, PostgreSQL 15 or later, for the tests that can use one; its user is a superuser. */
export const plainUrl = process.env["DATABASE_URL"];

/** Creates a database with the site's tables on the server at DATABASE_URL. */
export async function startPlainDatabase(url: string) {
  const name = `tawasul_${randomBytes(4).toString("hex")}`;
  const server = openPool({ connectionString: url, max: 1 });
  await server.script(`create database ${name} template template0 encoding 'UTF8' locale 'C'`);
  const address = new URL(url);
  address.pathname = name;
  const sql = openPool({ connectionString: address.href, max: 1, idleTimeoutMillis: 0 });
  await sql.begin(prepareDatabase);
  const migrator = openPool({
    connectionString: address.href,
    options: "-c role=postgres",
    max: 1,
  });
  await runMigrations(migrator, migrationsDir).finally(() => migrator.end());
  address.searchParams.set("sslmode", "disable");
  address.searchParams.set("options", "-c role=postgres");
  return {
    sql,
    /** A SUPABASE_DB_URL that reaches it as role postgres. */
    url: address.href,
    close: async () => {
      await sql.end();
      await server.script(`drop database ${name}`);
      await server.end();
    },
  };
}
