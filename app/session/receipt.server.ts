import { href } from "react-router";
import { logFault } from "#app/lib/log.server.ts";
import { findSent } from "#app/models/receipt.server.ts";
import type { Backend, Sender } from "#app/site-contract.server.ts";
import { longId, readSigned, shortId, signText } from "./signed-text.server.ts";

type Signer = Pick<Backend, "cookieSecret">;

const keyOf = ({ cookieSecret }: Signer) => ({ secret: cookieSecret, purpose: "receipt" });

/**
 * The receipt of a message just sent: its signed id, with which its sender reads and deletes it
 * without an account. Empty if it repeats one with another telephone number, and if the database did
 * not say it: the message is stored all the same.
 */
export async function receiptOf(
  backend: Backend,
  sent: Parameters<typeof findSent>[1],
  client: Sender,
): Promise<string> {
  try {
    const id = await findSent(backend, sent, client);
    return id !== null ? signText(shortId(id), keyOf(backend)) : "";
  } catch (error) {
    logFault("A message got no receipt", error);
    return "";
  }
}

/** The id in a receipt; undefined if this site did not sign it. */
export function idOfReceipt(receipt: string | null, signer: Signer): string | undefined {
  const id = receipt === null ? undefined : readSigned(receipt, keyOf(signer));
  return id === undefined ? undefined : longId(id);
}

/** The path of a receipt's page; undefined if this site did not sign it. */
export function receiptPath(receipt: string | null, signer: Signer): string | undefined {
  return idOfReceipt(receipt, signer) && `${href("/receipt")}?t=${receipt}`;
}
