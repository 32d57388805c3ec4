import type { SupabaseClient } from "@supabase/supabase-js";
import { z } from "zod";
import type { Database } from "#supabase/database.types.ts";
import type { InboxPage } from "./inbox.ts";
import type { NewMessage } from "./message-limits.ts";

type Supabase = SupabaseClient<Database>;

const pageSize = 50;

/** Where a page of the inbox begins: after the message with this moment and id. */
export interface Cursor {
  createdAt: string;
  id: string;
}

const cursorSchema = z
  .string()
  .transform((text) => text.split("_"))
  .pipe(z.tuple([z.iso.datetime({ offset: true }), z.uuid()]))
  .transform(([createdAt, id]): Cursor => ({ createdAt, id }));

/** Reads `?before=`; anything that is no cursor means the newest page. */
export function parseCursor(text: string | null): Cursor | undefined {
  return cursorSchema.safeParse(text).data;
}

/** Stores a visitor's message. A repeat within ten minutes is recognised by the table. */
export async function saveMessage(supabase: Supabase, message: NewMessage): Promise<void> {
  const { error } = await supabase.from("contact_messages").insert(message);
  if (error) throw new Error(`The message was not stored: ${error.code}`);
}

/**
 * One page of the inbox, newest first, and whether older messages follow. The plain bound
 * on created_at lets the index find a deep page as fast as the first.
 */
export async function readMessages(supabase: Supabase, before?: Cursor): Promise<InboxPage> {
  let query = supabase
    .from("contact_messages")
    .select()
    .order("created_at", { ascending: false })
    .order("id", { ascending: false })
    .limit(pageSize + 1);
  if (before) {
    query = query
      .lte("created_at", before.createdAt)
      .or(`created_at.lt."${before.createdAt}",id.lt.${before.id}`);
  }
  const { data, error } = await query;
  if (error) throw new Error(`The inbox was not read: ${error.code}`);
  return { messages: data.slice(0, pageSize), hasOlder: data.length > pageSize };
}
