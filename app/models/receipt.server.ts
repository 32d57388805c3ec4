import { z } from "zod";
import { logFault } from "#app/lib/log.server.ts";
import type { Backend, Sender } from "#app/site-contract.server.ts";
import { unavailable } from "./data-of.server.ts";
import type { NewMessage } from "./message.ts";

type Site = Pick<Backend, "callAsSite">;
type SentMessage = NewMessage & { phone?: string | null };

const receiptSchema = z.object({
  name: z.string(),
  email: z.string(),
  phone: z.string().nullable(),
  message: z.string(),
  created_at: z.string(),
  kept_until: z.string(),
});

/** What a visitor sent, as it is stored. Times are ISO 8601. */
type Receipt = z.infer<typeof receiptSchema>;

/** The id of what a client has just sent; null if there is none, or it has another telephone number. */
export async function findSent(
  site: Site,
  sent: SentMessage,
  { address }: Sender,
): Promise<string | null> {
  const { name, email, phone = null, message } = sent;
  const id = await site.callAsSite("sent_message", { name, email, phone, message, address });
  return z.uuid().nullable().parse(id);
}

/** The message of a receipt; undefined if it is deleted. @throws {Response} */
export async function readReceipt(site: Site, id: string): Promise<Receipt | undefined> {
  const rows = await callForSender(site, "read_receipt", id);
  return z.array(receiptSchema).parse(rows)[0];
}

/** Deletes the message of a receipt. Returns whether it was there. @throws {Response} */
export async function withdrawMessage(site: Site, id: string): Promise<boolean> {
  return z.boolean().parse(await callForSender(site, "withdraw_message", id));
}

async function callForSender(site: Site, name: string, id: string): Promise<unknown> {
  try {
    return await site.callAsSite(name, { id });
  } catch (error) {
    logFault("The database failed for a receipt", error);
    throw unavailable("The message of a receipt was not reached");
  }
}
