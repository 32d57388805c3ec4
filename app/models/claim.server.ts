import { dataOf } from "./data-of.server.ts";
import type { Supabase } from "./supabase.ts";

/** Makes the caller the inbox's owner; false for a wrong code. @throws {Response} */
export async function claimInbox(supabase: Supabase, code: string): Promise<boolean> {
  return dataOf(await supabase.rpc("claim_inbox", { code }), "The inbox was not claimed");
}
