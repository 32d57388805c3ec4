import { limitReached } from "#app/lib/log.server.ts";
import { dataOf } from "./data-of.server.ts";
import type { NewMessage } from "./message.ts";
import type { Supabase } from "./supabase.ts";

/** Signs of spam that only the site can see. The table's trigger adds its own and decides. */
export type SpamSign = "trap" | "haste" | "unseen";

/** Stores a message, or returns the wait after too many of an address. @throws {Response} */
export async function saveMessage(
  supabase: Supabase,
  message: NewMessage & { phone?: string | null },
  signs: SpamSign[],
): Promise<{ waitSeconds: number } | undefined> {
  const row = { ...message, ...(signs.length > 0 && { spam_signs: signs }) };
  const result = await supabase.from("contact_messages").insert(row);
  if (result.status === 429) {
    limitReached("message");
    return { waitSeconds: Number(result.error?.details) || 60 };
  }
  dataOf(result, "The message was not stored");
  return undefined;
}
