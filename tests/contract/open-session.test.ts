import { randomUUID } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { startTestDatabase } from "#tests/support/database.ts";

const database = await startTestDatabase();
afterAll(() => database.close());

/** A session of a new account that ends at `notAfter`, stored as auth does it. */
async function newSession(notAfter: Date | null) {
  const [user, session] = [randomUUID(), randomUUID()];
  const { auth } = database.database;
  await auth`insert into auth.users (id) values (${user})`;
  await auth`
    insert into auth.sessions (id, user_id, not_after) values (${session}, ${user}, ${notAfter})`;
  return { user, session };
}

async function isOpen(user: string, session: string): Promise<boolean> {
  return database.sql.begin(async (sql) => {
    const claims = JSON.stringify({ sub: user, session_id: session });
    await sql`select set_config('request.jwt.claims', ${claims}, true)`;
    const [row] = await sql`select private.session_is_open() as open`;
    return row?.["open"];
  });
}

test("a token has rights while its session is open", async () => {
  const open = await newSession(null);
  expect(await isOpen(open.user, open.session)).toBe(true);
  expect(await isOpen(open.user, randomUUID())).toBe(false);
  const later = await newSession(new Date(Date.now() + 60_000));
  expect(await isOpen(later.user, later.session)).toBe(true);
  expect(await isOpen(later.user, open.session)).toBe(false);
  const over = await newSession(new Date(Date.now() - 1));
  expect(await isOpen(over.user, over.session)).toBe(false);
});

test("a token of a banned or deleted account has no rights, although its session is open", async () => {
  const { user, session } = await newSession(null);
  const { auth } = database.database;
  const banUntil = (time: Date) =>
    auth`update auth.users set banned_until = ${time} where id = ${user}`;
  await banUntil(new Date(Date.now() + 60_000));
  expect(await isOpen(user, session)).toBe(false);
  await banUntil(new Date(Date.now() - 1));
  expect(await isOpen(user, session)).toBe(true);
  await auth`update auth.users set deleted_at = now() where id = ${user}`;
  expect(await isOpen(user, session)).toBe(false);
});
