import { randomUUID } from "node:crypto";
import type { TransactionSql } from "postgres";
import type { TestDatabase } from "./database.ts";

/** Makes an account, and the inbox its own if it is to be the owner. */
export async function addAccount({ superuser }: TestDatabase, isOwner = false): Promise<string> {
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
