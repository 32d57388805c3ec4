import { z } from "zod";
import { logFault } from "#app/lib/log.server.ts";
import type { Backend } from "#app/site-contract.server.ts";
import { storedFields } from "./message-fields.server.ts";

type Site = Pick<Backend, "callAsSite">;

const receiptSchema = z.object({
  ...storedFields,
  created_at: z.string(),
  kept_until: z.string(),
});

/** What a visitor sent, as it is stored. Times are ISO 8601. */
type Receipt = z.infer<typeof receiptSchema>;

/** The message of a receipt; undefined if it is deleted. @throws {Response} */
export async function readReceipt(site: Site, id: string): Promise<Receipt | undefined> {
  const row = await callForSender(site, "read_receipt", id);
  return receiptSchema.nullable().parse(row) ?? undefined;
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
    const statusText = "The message of a receipt was not read";
    throw new Response(null, { status: 503, statusText });
  }
}
