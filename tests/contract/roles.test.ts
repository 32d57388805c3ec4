import type { Sql } from "embedded-supabase/testing";
import { DatabaseError } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestDatabase } from "#tests/support/database.ts";
import { type PlainDatabase, plainUrl, startPlainDatabase } from "#tests/support/plain-database.ts";
import { valuesOf } from "#tests/support/values.ts";

/** The embedded PostgreSQL, as authenticator. */
async function embeddedRoles(): Promise<Pick<PlainDatabase, "sql" | "close">> {
  const { database, close } = await startTestDatabase();
  return { sql: database.authenticator, close };
}

const leave = (fields: object) => async (sql: Sql) =>
  (await sql`insert into public.contact_messages ${valuesOf(fields)}`).count;

if (!plainUrl) {
  console.info("Skipped: rules on a plain PostgreSQL need one at DATABASE_URL.");
}

describe.each([
  { name: "the embedded PostgreSQL", open: embeddedRoles, skip: false, own: true },
  {
    name: "a plain PostgreSQL",
    open: () => startPlainDatabase(plainUrl ?? ""),
    skip: !plainUrl,
    own: false,
  },
])("rules of the tables on $name", ({ open, skip, own }) => {
  let database: Pick<PlainDatabase, "sql" | "close">;
  beforeAll(async () => {
    if (!skip) {
      database = await open();
    }
  });
  afterAll(() => database?.close());

  const undo = new Error("undo");

  /** Runs as a role in a transaction that is rolled back; returns the result or the SQLSTATE. */
  async function as<T>(
    role: "anon" | "authenticated" | "service_role",
    run: (sql: Sql) => Promise<T>,
    claims: object = {},
  ): Promise<T | string> {
    let result: T | string = "";
    try {
      await database.sql.begin(async (sql) => {
        await sql`select set_config('role', ${role}, true),
          set_config('request.jwt.claims', ${JSON.stringify({ role, ...claims })}, true)`;
        result = await run(sql);
        throw undo;
      });
    } catch (error) {
      if (error === undo) {
        return result;
      }
      if (error instanceof DatabaseError) {
        return error.code ?? "";
      }
      throw error;
    }
    return result;
  }

  const message = { name: "ليلى", email: "layla@example.com", message: "مرحبا\nكيف حالك؟" };
  const leaveByCall = (sql: Sql) => sql`
    select public.leave_message(${JSON.stringify(message)}::jsonb, '192.0.2.1')`;

  test.skipIf(skip)("allow nobody but the site to leave a message or delete one", async () => {
    expect(await as("anon", (sql) => sql`select from public.contact_messages`)).toBe("42501");
    for (const role of ["anon", "authenticated"] as const) {
      expect(await as(role, leave(message))).toBe("42501");
      expect(await as(role, leaveByCall)).toBe("42501");
      expect(await as(role, (sql) => sql`update public.contact_messages set name = 'x'`)).toBe(
        "42501",
      );
      expect(await as(role, (sql) => sql`delete from public.contact_messages`)).toBe("42501");
      expect(await as(role, (sql) => sql`truncate public.contact_messages`)).toBe("42501");
    }
  });

  test.skipIf(!own)("include no superuser among the login roles", async () => {
    const rows = await database.sql`
      select rolname, rolbypassrls from pg_roles where rolcanlogin and rolsuper`;
    expect(rows.map((row) => row["rolname"])).toEqual(["supabase_admin"]);
    expect(await database.sql`select current_user as name`).toEqual([{ name: "authenticator" }]);
    await expect(database.sql`select from public.contact_messages`).rejects.toThrow(
      "permission denied",
    );
  });

  test.skipIf(!own)(
    "do not let the visitors' login become service_role, which bypasses row level security",
    async () => {
      const memberships = await database.sql`
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
