import { openSuperuser } from "#tests/support/superuser.ts";

/**
 * Inserts into a running site's database without its REST layer, but with the same role, claims,
 * headers and triggers, and one transaction per insert.
 */
export async function openDirect(dataDir: string, connections: number) {
  const sql = await openSuperuser(dataDir, connections);
  const claims = JSON.stringify({ role: "service_role" });
  const headers = JSON.stringify({ "x-forwarded-for": "127.0.0.1" });
  return {
    async insert(message: string): Promise<void> {
      const row = { name: "Bench", email: "bench@example.com", message };
      await sql.begin(async (transaction) => {
        await transaction`select
          set_config('role', 'service_role', true),
          set_config('request.jwt.claims', ${claims}, true),
          set_config('request.headers', ${headers}, true)`;
        await transaction`insert into public.contact_messages ${transaction(row)}`;
      });
    },
    /** Switches notifications by mail and webhook on or off, for an inbox with an owner. */
    async setNotifications(isOn: boolean): Promise<void> {
      await sql`
        insert into private.site_owner (user_id) select id from auth.users limit 1
        on conflict do nothing`;
      await sql`
        insert into private.notification_channels (channel, is_on) values ('mail', ${isOn}), ('webhook', ${isOn})
        on conflict (channel) do update set is_on = excluded.is_on`;
    },
    /** Returns the number of messages. */
    async count(): Promise<number> {
      const [row] = await sql`select count(*)::integer as messages from public.contact_messages`;
      return row?.["messages"] ?? 0;
    },
    /** Makes the only account the owner of the inbox. */
    async claim(): Promise<void> {
      await sql`insert into private.site_owner (user_id) select id from auth.users`;
    },
    /** Switches updates of the word index on or off. Off leaves it incomplete. */
    async setWordIndex(isOn: boolean): Promise<void> {
      await sql`
        update pg_index set indisready = ${isOn}
        where indexrelid = 'public.contact_messages_words'::regclass`;
    },
    [Symbol.asyncDispose]: () => sql.end(),
  };
}
