import { tooMany } from "./attempts.server.ts";
import { dataOf, waitOf } from "./data-of.server.ts";
import type { AuthRefusal } from "./refusal.ts";
import type { Supabase } from "./supabase.ts";

/** Makes the caller the inbox's owner; false for a wrong code. @throws {Response} */
export async function claimInbox(supabase: Supabase, code: string): Promise<boolean | AuthRefusal> {
  const result = await supabase.rpc("claim_inbox", { code });
  if (result.status === 429) {
    return tooMany("claim", waitOf(result.error));
  }
  return dataOf(result, "The inbox was not claimed");
}
