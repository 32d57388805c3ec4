import { limitReached } from "#app/lib/log.server.ts";
import { PublicError } from "#app/lib/public-error.ts";
import type { NewMessage } from "./message-limits.ts";
import type { Refusal } from "./refusal.ts";
import type { Supabase } from "./supabase.ts";

/** Signs of spam that only the site can see. The table's trigger adds its own and decides. */
export type SpamSign = "trap" | "haste" | "unseen";

/** Stores a message, or returns the wait after too many of an address. @throws {PublicError} */
export async function saveMessage(
  supabase: Supabase,
  message: NewMessage & { phone?: string | null },
  signs: SpamSign[],
): Promise<{ waitSeconds: number } | undefined> {
  const row = { ...message, ...(signs.length > 0 && { spam_signs: signs }) };
  const { error, status } = await supabase.from("contact_messages").insert(row);
  if (status === 429) {
    limitReached("message");
    return { waitSeconds: Number(error?.details) || 60 };
  }
  if (error) {
    throw new PublicError("The message was not stored", error.code);
  }
  return undefined;
}

/** Makes the caller the inbox's owner; false for a wrong code. @throws {PublicError} */
export async function claimInbox(supabase: Supabase, code: string): Promise<boolean | Refusal> {
  const { data, error, status } = await supabase.rpc("claim_inbox", { code });
  if (status === 429) {
    return { status, code: "over_request_rate_limit", wait: Number(error?.details) || 60 };
  }
  if (error) {
    throw new PublicError("The inbox was not claimed", error.code);
  }
  return data;
}
