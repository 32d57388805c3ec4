import { href } from "react-router";
import type { Backend } from "#app/site-contract.server.ts";
import { longId, readSigned, shortId, signText } from "./signed-text.server.ts";

type Signer = Pick<Backend, "cookieSecret">;

const keyOf = ({ cookieSecret }: Signer) => ({ secret: cookieSecret, purpose: "receipt" });

/**
 * The receipt of a message just sent: its signed id, with which its sender reads and deletes it
 * without an account. Empty without an id.
 */
export const receiptOf = (id: string | null, signer: Signer): string =>
  id === null ? "" : signText(shortId(id), keyOf(signer));

/** The id in a receipt; undefined if this site did not sign it. */
export function idOfReceipt(receipt: string | null, signer: Signer): string | undefined {
  const id = receipt === null ? undefined : readSigned(receipt, keyOf(signer));
  return id === undefined ? undefined : longId(id);
}

/** The path of a receipt's page; undefined if this site did not sign it. */
export function receiptPath(receipt: string | null, signer: Signer): string | undefined {
  return idOfReceipt(receipt, signer) && `${href("/receipt")}?t=${receipt}`;
}
