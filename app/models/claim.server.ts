import { dataOf } from "./data-of.server.ts";
import type { AuthRefusal } from "./refusal.ts";
import type { Supabase } from "./supabase.ts";

/** Makes the caller the inbox's owner; false for a wrong code. @throws {Response} */
export async function claimInbox(supabase: Supabase, code: string): Promise<boolean | AuthRefusal> {
  const result = await supabase.rpc("claim_inbox", { code });
  if (result.status === 429) {
    const wait = Number(result.error?.details) || 60;
    return { status: 429, code: "over_request_rate_limit", wait };
  }
  return dataOf(result, "The inbox was not claimed");
}
