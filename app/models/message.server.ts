import { z } from "zod";
import { limitReached } from "#app/lib/log.server.ts";
import { PublicError } from "#app/lib/public-error.ts";
import type { Database } from "#supabase/database.types.ts";
import { longDate } from "./date.server.ts";
import type { BoardMessage, InboxMessage, InboxPage } from "./inbox.ts";
import type { NewMessage } from "./message-limits.ts";
import type { Refusal } from "./refusal.ts";
import type { Supabase } from "./supabase.ts";

type InboxState = Database["public"]["Functions"]["inbox_state"]["Returns"];

const pageSize = 50;

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

/** Signs of spam that only the form can see; the table adds its own and decides. */
export type SpamSign = "trap" | "haste" | "unseen";

/** Returns the seconds to wait after too many messages of this address. Throws if it was not stored. */
export async function saveMessage(
  supabase: Supabase,
  message: NewMessage,
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

const rowsSchema: z.ZodType<InboxMessage[]> = z.array(
  z.object({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    message: z.string(),
    created_at: z.string(),
    spam_signs: z.array(z.string()).nullable(),
  }),
);

/** Reads owner, counts and one page in one statement, newest first. */
export async function readInbox(
  supabase: Supabase,
  { before, spam }: { before: Cursor | undefined; spam: boolean },
): Promise<{ state: InboxState; page: InboxPage }> {
  const { data, error } = await supabase.rpc("read_inbox", {
    in_spam: spam,
    ...(before && { before_moment: before.createdAt, before_id: before.id }),
  });
  if (error) {
    throw new PublicError("The inbox was not read", error.code);
  }
  const { page, ...state } = data;
  const rows = rowsSchema.parse(page);
  const messages = rows.slice(0, pageSize).map(boardMessage);
  return { state, page: { messages, hasOlder: rows.length > pageSize } };
}

export const boardMessage = (row: InboxMessage): BoardMessage => ({
  ...row,
  date: longDate(row.created_at),
});

export async function readInboxState(supabase: Supabase): Promise<InboxState> {
  const { data, error } = await supabase.rpc("inbox_state");
  if (error) {
    throw new PublicError("The inbox's state was not read", error.code);
  }
  return data;
}

/** Returns whether the caller is the owner now, or the refusal after too many codes. Throws. */
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

/** Takes the mark of spam off a message; false if the caller has none with this id. @throws */
export async function acceptMessage(supabase: Supabase, id: string): Promise<boolean> {
  const { data, error } = await supabase
    .from("contact_messages")
    .update({ spam_signs: null })
    .eq("id", id)
    .select("id");
  if (error) {
    throw new PublicError("The message was not sorted", error.code);
  }
  return data.length > 0;
}
