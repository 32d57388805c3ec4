import { dataOf } from "./data-of.server.ts";
import type { Supabase } from "./supabase.ts";

/** How long messages are kept, and whether visits are counted. @throws {Response} */
export async function readPrivacyTerms(supabase: Supabase) {
  return dataOf(await supabase.rpc("privacy_terms"), "The terms of privacy were not read");
}
