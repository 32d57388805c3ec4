import { randomUUID } from "node:crypto";
import type { TransactionSql } from "postgres";
import { expect } from "vitest";
import { boxes } from "#app/models/inbox-limits.ts";
import { startTestDatabase, type TestDatabase } from "./database.ts";

/** A database whose inbox has an owner, and a stranger. */
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

export type TestInbox = Awaited<ReturnType<typeof startInbox>>;

/** Makes an account, and the inbox its own if it is to be the owner. */
async function addAccount({ superuser }: TestDatabase, isOwner = false): Promise<string> {
  const id = randomUUID();
  await superuser`insert into auth.users (id, email) values (${id}, ${`${id}@example.com`})`;
  if (isOwner) {
    await superuser`insert into private.site_owner (user_id) values (${id})`;
  }
  return id;
}

/** Runs as an account in one transaction, with the claims of a session at this level. */
export function asAccount<Result>(
  { sql }: TestDatabase,
  id: string,
  run: (sql: TransactionSql) => Promise<Result>,
  aal = "aal1",
) {
  return sql.begin(async (transaction) => {
    const claims = JSON.stringify({ sub: id, role: "authenticated", aal });
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
  answered_at?: Date;
  archived_at?: Date;
  deleted_at?: Date;
}

/** Stores messages past the limits, the first the newest; returns their ids. */
export async function store({ sql }: TestDatabase, messages: Stored[]): Promise<string[]> {
  const ids: string[] = [];
  for (const [index, message] of messages.entries()) {
    const row = {
      name: "نورة",
      email: "noura@example.com",
      created_at: new Date(Date.now() - index * 60_000),
      ...message,
    };
    const [stored] = await sql`insert into public.contact_messages ${sql(row)} returning id`;
    ids.push(stored?.["id"]);
  }
  return ids;
}

/** What `inbox_state` tells an account. */
export async function inboxState(database: TestDatabase, account: string) {
  const [row] = await asAccount(
    database,
    account,
    (sql) => sql`select * from public.inbox_state()`,
  );
  return row;
}

/** How many messages each box has, in the order of `boxes`: as its page shows, and as is told. */
async function boxCounts(database: TestDatabase, owner: string): Promise<number[]> {
  const told = await inboxState(database, owner);
  const shown: number[] = [];
  for (const box of boxes) {
    const [row] = await asAccount(
      database,
      owner,
      (sql) => sql`select json_array_length(page) as length from public.read_inbox(${box})`,
    );
    expect([box, Number(told?.[box === "all" ? "messages" : box])]).toEqual([box, row?.["length"]]);
    shown.push(row?.["length"]);
  }
  return shown;
}

interface Found {
  page: { id: string; message: string }[];
  moment: string | null;
  id: string | null;
}

/** A page of a search as an account has it, and where the next one begins. */
async function searchAs(
  database: TestDatabase,
  account: string,
  [query, box = "any", before]: [string, string?, { moment: string; id: string }?],
): Promise<Found> {
  const [row] = await asAccount(
    database,
    account,
    (sql) => sql<Found[]>`
      select page, next_moment::text as moment, next_id as id from public.search_inbox(
        ${query}, ${box}, ${before?.moment ?? "infinity"}::text::timestamptz,
        ${before?.id ?? "ffffffff-ffff-ffff-ffff-ffffffffffff"}
      )`,
  );
  return row ?? { page: [], moment: null, id: null };
}
