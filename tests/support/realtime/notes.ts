import { type RealtimeChannel } from "@supabase/supabase-js";
import { until } from "./clients.ts";
import { type RealtimeServer } from "./server.ts";

export const noteChanges = { event: "*", schema: "public", table: "notes" };

/** A table whose rows are for their owner, some of them only with a second factor. */
export async function createNotes({ sql }: RealtimeServer): Promise<void> {
  await sql.unsafe(`
    create table public.notes (id int primary key, owner text, level text default 'aal1', body text);
    alter table public.notes enable row level security;
    grant select on public.notes to authenticated, anon;
    create policy owner on public.notes for select to authenticated
      using (owner = (auth.jwt() ->> 'sub') or owner = 'all');
    create policy "public" on public.notes for select to anon using (owner = 'public');
    create policy second_factor on public.notes as restrictive for select to authenticated
      using (level = 'aal1' or (auth.jwt() ->> 'aal') = 'aal2');
    create policy fragile on public.notes as restrictive for select to authenticated
      using (coalesce((auth.jwt() ->> 'number')::int, 1) > 0);
    alter publication supabase_realtime add table public.notes`);
}

/** Sends what the client sends when it has another token, whatever the token is. */
export function pushToken(channel: RealtimeChannel, token: unknown): void {
  const { channelAdapter } = channel as unknown as {
    channelAdapter: { push(event: string, payload: object): void };
  };
  channelAdapter.push("access_token", { access_token: token });
}

let nextId = 0;
/** Writes a note of this owner, which needs this level to be read; gives its id. */
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

/** A note that everybody who reads notes sees: what came before it would have come by now. */
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

/** Which notes a listener has heard of, in order. */
export const idsOf = ({ events }: { events: { new: unknown }[] }) =>
  events.map((event) => (event.new as { id: number }).id);
