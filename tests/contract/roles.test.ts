import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import postgres, { type Sql, type TransactionSql } from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { openDatabase } from "#embedded/database.ts";
import { bootstrap, prepareDatabase } from "#embedded/engine/bootstrap.ts";
import { startCluster } from "#embedded/engine/cluster.ts";
import { openDataDir } from "#embedded/engine/paths.ts";
import { runMigrations } from "#embedded/engine/migrations.ts";
import { silentLog } from "#tests/support/log.ts";

const MIGRATIONS = new URL("../../supabase/migrations", import.meta.url).pathname;
const AUTH_SCHEMA = new URL("../../supabase/embedded/auth/schema.sql", import.meta.url);
const PLAIN = process.env["DATABASE_URL"];

interface World {
  sql: Sql;
  close(): Promise<void>;
}

/** The embedded PostgreSQL, as authenticator. */
async function embeddedWorld(): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), "roles-"));
  await chmod(folder, 0o711);
  const cluster = await startCluster(await openDataDir(join(folder, "data")), silentLog);
  const passwords = await bootstrap(cluster, await readFile(AUTH_SCHEMA, "utf8"));
  const database = openDatabase(cluster.socketDir, passwords);
  const owner = postgres({ ...database.connectionOptions("postgres"), max: 1 });
  await runMigrations(owner, MIGRATIONS);
  await owner.end();
  return {
    sql: database.authenticator,
    close: async () => {
      await database.close();
      await cluster.stop();
      await rm(folder, { recursive: true });
    },
  };
}

/** A new database on the server at DATABASE_URL, whose user must be a superuser. */
async function plainWorld(url: string): Promise<World> {
  const name = `row_level_${randomBytes(4).toString("hex")}`;
  const server = postgres(url, { max: 1 });
  await server.unsafe(`create database ${name} template template0 encoding 'UTF8' locale 'C'`);
  const sql = postgres(url, { database: name, max: 1, onnotice: () => undefined });
  await sql.begin(async (transaction) =>
    prepareDatabase(transaction, await readFile(AUTH_SCHEMA, "utf8")),
  );
  await sql`set role postgres`;
  await runMigrations(sql, MIGRATIONS);
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

if (!PLAIN) {
  console.info("Skipped: rules on a plain PostgreSQL need one at DATABASE_URL.");
}

describe.each([
  { name: "the embedded PostgreSQL", open: embeddedWorld, skip: false, own: true },
  { name: "a plain PostgreSQL", open: () => plainWorld(PLAIN ?? ""), skip: !PLAIN, own: false },
])("rules of the tables on $name", ({ open, skip, own }) => {
  let world: World;
  beforeAll(async () => {
    if (!skip) {
      world = await open();
    }
  });
  afterAll(() => world?.close());

  const UNDO = new Error("undo");

  /** Runs as a role in a transaction that is taken back; gives the result or the SQLSTATE. */
  async function as<T>(
    role: "anon" | "authenticated" | "service_role",
    run: (sql: TransactionSql) => Promise<T>,
    claims: object = {},
  ): Promise<T | string> {
    let result: T | string = "";
    try {
      await world.sql.begin(async (sql) => {
        await sql`select set_config('role', ${role}, true),
          set_config('request.jwt.claims', ${JSON.stringify({ role, ...claims })}, true),
          set_config('request.headers', '{"x-forwarded-for":"192.0.2.1"}', true)`;
        result = await run(sql);
        throw UNDO;
      });
    } catch (error) {
      if (error === UNDO) {
        return result;
      }
      if (error instanceof postgres.PostgresError) {
        return error.code;
      }
      throw error;
    }
    return result;
  }

  const MESSAGE = { name: "ليلى", email: "layla@example.com", message: "مرحبا\nكيف حالك؟" };
  const leave = (fields: object) => (sql: TransactionSql) =>
    sql`insert into public.contact_messages ${sql(fields as typeof MESSAGE)}`.then(
      ({ count }) => count,
    );

  test.skipIf(skip)("let a visitor leave a message, and nothing else", async () => {
    expect(await as("anon", leave(MESSAGE))).toBe(1);
    expect(await as("anon", leave({ ...MESSAGE, created_at: "2000-01-01" }))).toBe("42501");
    expect(await as("anon", (sql) => sql`select from public.contact_messages`)).toBe("42501");
    for (const role of ["anon", "authenticated"] as const) {
      expect(await as(role, (sql) => sql`update public.contact_messages set name = 'x'`)).toBe(
        "42501",
      );
      expect(await as(role, (sql) => sql`delete from public.contact_messages`)).toBe("42501");
      expect(await as(role, (sql) => sql`truncate public.contact_messages`)).toBe("42501");
    }
  });

  test.skipIf(skip)("let an account read what was left", async () => {
    const read = await as("authenticated", async (sql) => {
      await leave(MESSAGE)(sql);
      const rows = await sql`select name, email, message from public.contact_messages`;
      return rows.map((row) => ({ ...row }));
    });
    expect(read).toEqual([MESSAGE]);
  });

  test.skipIf(skip)("keep every promise of the form against a direct insert", async () => {
    const wrong = [
      { name: "" },
      { name: "x".repeat(101) },
      { name: " padded" },
      { name: "two\nlines" },
      { name: "turned \u202E round" },
      { email: "no-address" },
      { email: "a@b" },
      { email: `${"x".repeat(250)}@example.com` },
      { message: "" },
      { message: " \n " },
      { message: "x".repeat(5001) },
      { message: "bell \u0007" },
    ];
    for (const field of wrong) {
      expect([field, await as("anon", leave({ ...MESSAGE, ...field }))]).toEqual([field, "23514"]);
    }
  });

  test.skipIf(skip)("keep one of two equal messages", async () => {
    const counts = await as("anon", async (sql) => [
      await leave(MESSAGE)(sql),
      await leave(MESSAGE)(sql),
      await leave({ ...MESSAGE, message: "another" })(sql),
    ]);
    expect(counts).toEqual([1, 0, 1]);
  });

  test.skipIf(skip)("keep accounts, keys of the site and history from the API roles", async () => {
    for (const role of ["anon", "authenticated"] as const) {
      for (const table of [
        "auth.users",
        "auth.sessions",
        "auth.refresh_tokens",
        "auth.mfa_factors",
        "supabase_migrations.schema_migrations",
        "embedded.scripts",
      ]) {
        expect([table, await as(role, (sql) => sql`select from ${sql(table)}`)]).toEqual([
          table,
          "42501",
        ]);
      }
    }
  });

  test.skipIf(skip)("give a policy who asks", async () => {
    const sub = "11111111-1111-4111-8111-111111111111";
    const asked = await as(
      "authenticated",
      async (sql) => {
        const [row] =
          await sql`select auth.uid() as uid, auth.role() as role, auth.email() as email,
          auth.jwt() ->> 'aal' as aal`;
        return { ...row };
      },
      { sub, email: "a@b.co", aal: "aal2" },
    );
    expect(asked).toEqual({ uid: sub, role: "authenticated", email: "a@b.co", aal: "aal2" });
  });

  test.skipIf(!own)("are not stood above by any role that logs in", async () => {
    const rows = await world.sql`
      select rolname, rolbypassrls from pg_roles where rolcanlogin and rolsuper`;
    expect(rows.map((row) => row["rolname"])).toEqual(["supabase_admin"]);
    expect(await world.sql`select current_user as name`).toEqual([{ name: "authenticator" }]);
    await expect(world.sql`select from public.contact_messages`).rejects.toThrow(
      "permission denied",
    );
  });

  test.skipIf(!own)(
    "keep the role above row level security from the login of visitors",
    async () => {
      const memberships = await world.sql`
      select login, role from unnest(array['authenticator', 'service_authenticator']) login,
        unnest(array['anon', 'authenticated', 'service_role', 'postgres']) role
      where pg_has_role(login, role, 'member') order by 1, 2`;
      expect(memberships.map(({ login, role }) => [login, role])).toEqual([
        ["authenticator", "anon"],
        ["authenticator", "authenticated"],
        ["service_authenticator", "service_role"],
      ]);
      expect(await as("service_role", (sql) => sql`select 1`)).toBe("42501");
    },
  );
});
