import { randomUUID } from "node:crypto";
import type { Sql } from "#embedded/sql.ts";
import { until } from "./clients.ts";
import type { RealtimeServer } from "./server.ts";

/** Gives the messages policies of the tests: one belongs to the account in its name, or to all. */
export async function createNotes({ sql }: RealtimeServer): Promise<void> {
  await sql.script(`
    drop policy "the inbox is read by its readers" on public.contact_messages;
    create policy owner on public.contact_messages for select to authenticated
      using (name = (auth.jwt() ->> 'sub') or name = 'all');
    create policy fragile on public.contact_messages as restrictive for select to authenticated
      using (coalesce((auth.jwt() ->> 'number')::int, 1) > 0)`);
}

/** Inserts a message of an owner. Returns its id. */
export async function note({ sql }: { sql: Sql }, owner: string): Promise<string> {
  const [row] = await sql<{ id: string }>`
    insert into contact_messages (name, email, message)
    values (${owner}, 'x@example.org', ${randomUUID()}) returning id`;
  return row?.id ?? "";
}

/** Inserts a message for all readers and waits for it. All earlier events have then arrived. */
export async function fence(
  server: RealtimeServer,
  ...listeners: { events: { new: unknown }[] }[]
): Promise<void> {
  const id = await note(server, "all");
  await until(() => listeners.every((listener) => idsOf(listener).includes(id)));
}

/** Returns the ids of the messages in the events, in order. */
export const idsOf = ({ events }: { events: { new: unknown }[] }) =>
  events.map((event) => (event.new as { id: string }).id);
