import type { Database } from "#supabase/database.types.ts";
import { dataOf } from "./data-of.server.ts";
import type { Supabase } from "./supabase.ts";

type DateDoubt = Database["public"]["Functions"]["date_in_doubt"]["Returns"][number];

/** The database's date, if it is in doubt and the caller is the inbox's owner. @throws {Response} */
export async function readDateDoubt(supabase: Supabase): Promise<DateDoubt | undefined> {
  return dataOf(await supabase.rpc("date_in_doubt"), "The date was not checked")[0];
}

/**
 * Says as the owner that the date is right. Returns "changed" if the database has another date than
 * `shown` by now, and "refused" to other accounts. @throws {Response}
 */
export async function confirmDate(
  supabase: Supabase,
  shown: string,
): Promise<"confirmed" | "changed" | "refused"> {
  const result = await supabase.rpc("confirm_date", { shown });
  if (result.error?.code === "PT403") {
    return "refused";
  }
  return dataOf(result, "The date was not confirmed") ? "confirmed" : "changed";
}
