import type { RealtimeChannel } from "@supabase/supabase-js";
import { until } from "./clients.ts";
import type { RealtimeServer } from "./server.ts";

/** Creates a table whose rows belong to an owner. Some rows require a second factor. */
export async function createNotes({ sql }: RealtimeServer): Promise<void> {
  await sql.script(`
    create table public.notes (id int primary key, owner text, level text default 'aal1', body text);
    alter table public.notes enable row level security;
    grant select on public.notes to authenticated;
    create policy owner on public.notes for select to authenticated
      using (owner = (auth.jwt() ->> 'sub') or owner = 'all');
    create policy second_factor on public.notes as restrictive for select to authenticated
      using (level = 'aal1' or (auth.jwt() ->> 'aal') = 'aal2');
    create policy fragile on public.notes as restrictive for select to authenticated
      using (coalesce((auth.jwt() ->> 'number')::int, 1) > 0);
    alter publication supabase_realtime add table public.notes`);
}

/** Sends an access_token message with any token. */
export function pushToken(channel: RealtimeChannel, token: unknown): void {
  const channelAdapter: { push(event: string, payload: object): void } = Reflect.get(
    channel,
    "channelAdapter",
  );
  channelAdapter.push("access_token", { access_token: token });
}

let nextId = 0;
/** Inserts an owner's note for readers at this assurance level. Returns its id. */
export async function note(
  { sql }: RealtimeServer,
  owner: string,
  level = "aal1",
): Promise<number> {
  nextId += 1;
  const id = nextId;
  await sql`insert into notes values (${id}, ${owner}, ${level}, 'text')`;
  return id;
}

/** Inserts a note for all readers and waits for it. All earlier events have then arrived. */
export async function fence(
  server: RealtimeServer,
  ...listeners: { events: { new: unknown }[] }[]
): Promise<void> {
  const id = await note(server, "all");
  await until(() =>
    listeners.every(({ events }) =>
      events.some((event) => (event.new as { id: number }).id === id),
    ),
  );
}

/** Returns the ids of the notes in the events, in order. */
export const idsOf = ({ events }: { events: { new: unknown }[] }) =>
  events.map((event) => (event.new as { id: number }).id);
