import { asRole } from "#tests/support/messages.ts";
import { openSuperuser } from "#tests/support/superuser.ts";

/**
 * Inserts into a running site's database without its REST layer, but with the same role, claims,
 * headers and triggers, and one transaction per insert.
 */
export async function openDirect(dataDir: string, connections: number) {
  const sql = await openSuperuser(dataDir, connections);
  const insert = (role: string) => async (message: string) => {
    await asRole(
      sql,
      { role },
      (transaction) =>
        transaction`select public.leave_message('Bench', 'bench@example.com', ${message})`,
    );
  };
  return {
    /** Inserts without the limits of visitors. */
    insert: insert("service_role"),
    /** Inserts as a visitor with an address of their own. */
    insertAsVisitor: insert("anon"),
    /** Switches notifications by mail and webhook on or off, for an inbox with an owner. */
    async setNotifications(isOn: boolean): Promise<void> {
      await sql`
        insert into private.site_owner (user_id) select id from auth.users limit 1
        on conflict do nothing`;
      await sql`
        update private.notification_channels set is_on = ${isOn} where channel in ('mail', 'webhook')`;
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
    [Symbol.asyncDispose]: () => sql.end(),
  };
}
