import { z } from "zod";
import { limitReached, logFailed } from "#app/lib/log.server.ts";
import type { Backend } from "#app/site-contract.server.ts";
import { callRefusal } from "./data-of.server.ts";
import type { NewMessage } from "./message-fields.server.ts";

/** Signs of spam that only the site can see. The database adds its own and decides. */
export type SpamSign = "trap" | "haste" | "unseen";

interface Sent {
  message: NewMessage;
  /** The visitor's. */
  address: string;
  signs: SpamSign[];
}

const storedSchema = z.object({ id: z.string().nullable(), wait_seconds: z.number().nullable() });

/**
 * The codes of a refusal by the database (SQLSTATE) or by PostgREST before it. The code of a connection that
 * ended is not one of them. A deadline and a gateway have no code.
 */
const nothingStored = /^(?!08)[\dA-Z]{5}$|^PGRST(?!001)/;

/**
 * Stores a message. Returns its id, or the id of the sender's own message that it repeats, or null if it
 * repeats one that the sender may not read. Returns how long to wait if too many came from the address.
 * Returns "unknown" if nothing tells whether the message is stored. Sending it again stores nothing twice.
 * @throws {Error} if nothing is stored
 */
export async function saveMessage(
  { callAsSite }: Pick<Backend, "callAsSite">,
  { message, address, signs }: Sent,
): Promise<{ id: string | null } | { waitSeconds: number } | "unknown"> {
  let answer: unknown;
  try {
    answer = await callAsSite("leave_message", {
      message: { ...message, spam_signs: signs },
      address,
    });
  } catch (error) {
    const code = callRefusal(error)?.code ?? "";
    if (nothingStored.test(code)) {
      throw error;
    }
    logFailed("It is not known whether a message was stored", { code });
    return "unknown";
  }
  const { id, wait_seconds: waitSeconds } = storedSchema.parse(answer);
  if (waitSeconds === null) {
    return { id };
  }
  limitReached("message");
  return { waitSeconds };
}
