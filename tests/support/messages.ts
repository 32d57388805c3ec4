import type { Sql, SqlPool } from "embedded-supabase/testing";
import { fieldNames, messageFields, type NewMessage } from "#app/models/message-fields.server.ts";
import { newAddress } from "./address.ts";
import type { TestServer } from "./embedded-server.ts";
import { withSuperuser } from "./superuser.ts";
import { valuesOf } from "./values.ts";

export interface StoredMessage {
  id: string;
  name: string;
  email: string;
  message: string;
  phone: string | null;
  note: string | null;
  answered_at: Date | null;
  archived_at: Date | null;
  deleted_at: Date | null;
}

/** The optional fields of a form that has more than a phone number, empty. */
export const furtherFields = Object.fromEntries(
  fieldNames
    .filter((name) => messageFields[name].isOptional && name !== "phone")
    .map((name) => [name, null]),
) as Omit<NewMessage, "name" | "email" | "phone" | "message">;

/** Runs `work` with the role of `claims`, as a call of the list runs. */
export async function asRole<Result>(
  sql: SqlPool,
  claims: { role: string },
  work: (transaction: Sql) => Promise<Result>,
): Promise<Result> {
  return sql.begin(async (transaction) => {
    await transaction`select
      set_config('role', ${claims.role}, true),
      set_config('request.jwt.claims', ${JSON.stringify(claims)}, true)`;
    return work(transaction);
  });
}

/** Stores messages at once, as a restore does: without limits and without notifications. Returns them. */
export const storeMessages = (dataDir: string, rows: object[]): Promise<StoredMessage[]> =>
  withSuperuser(
    dataDir,
    (sql) => sql<StoredMessage>`
      insert into public.contact_messages ${valuesOf(...rows)} returning *`,
  );

/** Leaves a message as the site does for a visitor, by default with an address of their own. */
export async function leaveMessage(
  { embedded }: Pick<TestServer, "embedded">,
  message: object,
  address: string | null = newAddress(),
): Promise<{ status: number; id: string | null; wait_seconds: number | null }> {
  const answer = await embedded.callAsSite("leave_message", { message, address });
  return { status: answer.status, ...(await answer.json()) };
}

/** Reads all stored messages, oldest first. */
export const readMessages = (dataDir: string): Promise<StoredMessage[]> =>
  withSuperuser(
    dataDir,
    (sql) => sql<StoredMessage>`select * from public.contact_messages order by created_at, id`,
  );

/** Deletes all messages. */
export async function deleteMessages(dataDir: string): Promise<void> {
  await withSuperuser(dataDir, (sql) => sql`delete from public.contact_messages`);
}
