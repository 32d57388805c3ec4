import { randomUUID } from "node:crypto";
import type { Sql } from "embedded-supabase/testing";
import { expect } from "vitest";
import { boxes } from "#app/models/boxes.ts";
import { startTestDatabase, type TestDatabase } from "./database.ts";
import { valuesOf } from "./values.ts";

/** Starts a database with the owner of the inbox and another account. */
export async function startInbox() {
  const database = await startTestDatabase();
  const owner = await addAccount(database, true);
  const stranger = await addAccount(database);
  return {
    database,
    owner,
    stranger,
    search: (...asked: Parameters<typeof searchAs>[2]) => searchAs(database, owner, asked),
    counts: () => boxCounts(database, owner),
  };
}

/** Creates an account with a session of the same id, optionally as the owner of the inbox. */
async function addAccount({ superuser }: TestDatabase, isOwner = false): Promise<string> {
  const id = randomUUID();
  await superuser`insert into auth.users (id, email) values (${id}, ${`${id}@example.com`})`;
  await superuser`insert into auth.sessions (id, user_id) values (${id}, ${id})`;
  if (isOwner) {
    await superuser`insert into private.site_owner (user_id) values (${id})`;
  }
  return id;
}

/** Runs statements as an account in one transaction, with the claims of its session. */
export function asAccount<Result>(
  { sql }: TestDatabase,
  id: string,
  run: (sql: Sql) => Promise<Result>,
) {
  return sql.begin(async (transaction) => {
    const claims = JSON.stringify({ sub: id, session_id: id, role: "authenticated" });
    await transaction`select set_config('request.jwt.claims', ${claims}, true)`;
    await transaction`set local role authenticated`;
    return run(transaction);
  });
}

interface Stored {
  name?: string;
  email?: string;
  message: string;
  phone?: string;
  note?: string;
  created_at?: Date;
  spam_signs?: string[];
  spam_at?: Date;
  answered_at?: Date;
  archived_at?: Date;
  deleted_at?: Date;
  restored_at?: Date;
}

/** Inserts messages without limits, newest first. Returns their ids. */
export async function store({ sql }: TestDatabase, messages: Stored[]): Promise<string[]> {
  const ids: string[] = [];
  for (const [index, message] of messages.entries()) {
    const row = {
      name: "نورة",
      email: "noura@example.com",
      created_at: new Date(Date.now() - index * 60_000),
      ...message,
    };
    const [stored] = await sql`insert into public.contact_messages ${valuesOf(row)} returning id`;
    ids.push(stored?.["id"]);
  }
  return ids;
}

/** Returns the result of `inbox_state` for an account. */
export async function inboxState(database: TestDatabase, account: string) {
  const [row] = await asAccount(
    database,
    account,
    (sql) => sql`select * from public.inbox_state()`,
  );
  return row;
}

/** Returns the number of messages per box. Expects the pages and `inbox_state` to agree. */
async function boxCounts(database: TestDatabase, owner: string): Promise<number[]> {
  const counts = await inboxState(database, owner);
  const shown: number[] = [];
  for (const box of boxes) {
    const [row] = await asAccount(
      database,
      owner,
      (sql) => sql`select json_array_length(page) as length from public.read_inbox(${box})`,
    );
    expect([box, Number(counts?.[box === "all" ? "messages" : box])]).toEqual([
      box,
      row?.["length"],
    ]);
    shown.push(row?.["length"]);
  }
  return shown;
}

interface Found {
  page: { id: string; message: string; created_at: string }[];
}

/** Returns a page of an account's search, `before` a message. */
async function searchAs(
  database: TestDatabase,
  account: string,
  [query, box = "any", before]: [string, string?, { created_at: string; id: string }?],
): Promise<Found> {
  const [row] = await asAccount(
    database,
    account,
    (sql) => sql<Found>`
      select page from public.read_inbox(
        ${box}, ${query}, ${before?.created_at ?? "infinity"}::text::timestamptz,
        ${before?.id ?? "ffffffff-ffff-ffff-ffff-ffffffffffff"}
      )`,
  );
  return row ?? { page: [] };
}
