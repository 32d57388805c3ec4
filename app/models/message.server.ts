import { limitReached } from "#app/lib/log.server.ts";
import { dataOf, waitOf } from "./data-of.server.ts";
import type { NewMessage } from "./message.ts";
import type { Supabase } from "./supabase.ts";

/** Signs of spam that only the site can see. The table's trigger adds its own and decides. */
export type SpamSign = "trap" | "haste" | "unseen";

/**
 * Stores a message. Returns its id, or that of the sender's own message that it repeats; null if it
 * repeats one that the sender may not read. After too many of an address: how long to wait.
 * @throws {Response}
 */
export async function saveMessage(
  supabase: Supabase,
  { phone, ...message }: NewMessage & { phone?: string | null },
  signs: SpamSign[],
): Promise<{ id: string | null } | { waitSeconds: number }> {
  const result = await supabase.rpc("leave_message", {
    ...message,
    ...(phone && { phone }),
    ...(signs.length > 0 && { spam_signs: signs }),
  });
  if (result.status === 429) {
    limitReached("message");
    return { waitSeconds: waitOf(result.error) };
  }
  return { id: dataOf(result, "The message was not stored") };
}
