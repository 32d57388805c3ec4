import { newAddress } from "#tests/support/address.ts";
import { asRole } from "#tests/support/messages.ts";
import { openSuperuser } from "#tests/support/superuser.ts";

/**
 * Inserts into a running site's database without its REST layer, but with the same function, role,
 * claims and headers, and one transaction per insert.
 */
export async function openDirect(dataDir: string, connections: number) {
  const sql = await openSuperuser(dataDir, connections);
  return {
    /** Leaves a message of an address of its own. */
    async insert(message: string): Promise<void> {
      const sent = JSON.stringify({ name: "Bench", email: "bench@example.com", message });
      await asRole(
        sql,
        { role: "service_role" },
        (transaction) =>
          transaction`select public.leave_message(${sent}::text::jsonb, ${newAddress()}::text::inet)`,
      );
    },
    /** Makes the only account the owner of the inbox. */
    async claim(): Promise<void> {
      await sql`insert into private.site_owner (user_id) select id from auth.users`;
    },
    [Symbol.asyncDispose]: () => sql.end(),
  };
}
