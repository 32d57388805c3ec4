import { limitReached, logFailed } from "#app/lib/log.server.ts";
import { dataOf, waitOf } from "./data-of.server.ts";
import type { NewMessage } from "./message.ts";
import type { Supabase } from "./supabase.ts";

/** Signs of spam that only the site can see. The table's trigger adds its own and decides. */
export type SpamSign = "trap" | "haste" | "unseen";

/**
 * The codes of a refusal by the database (SQLSTATE) or by PostgREST before it. Not of a connection that
 * ended in the meantime; a deadline, and a gateway, have no code.
 */
const nothingStored = /^(?!08)[\dA-Z]{5}$|^PGRST(?!001)/;

/**
 * Stores a message. Returns its id, or that of the sender's own message that it repeats; null if it
 * repeats one that the sender may not read. After too many of an address: how long to wait. "unknown"
 * if no answer tells whether it is stored; to repeat it makes no double (the table's trigger).
 * @throws {Response}
 */
export async function saveMessage(
  supabase: Supabase,
  { phone, ...message }: NewMessage & { phone?: string | null },
  signs: SpamSign[],
): Promise<{ id: string | null } | { waitSeconds: number } | "unknown"> {
  const result = await supabase.rpc("leave_message", {
    ...message,
    ...(phone && { phone }),
    ...(signs.length > 0 && { spam_signs: signs }),
  });
  if (result.status === 429) {
    limitReached("message");
    return { waitSeconds: waitOf(result.error) };
  }
  if (result.error && !nothingStored.test(result.error.code)) {
    logFailed("It is not known whether a message was stored", { code: result.error.code });
    return "unknown";
  }
  return { id: dataOf(result, "The message was not stored") };
}
