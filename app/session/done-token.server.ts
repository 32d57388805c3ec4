import { createHmac, timingSafeEqual } from "node:crypto";
import { type SortAction, undoOf } from "#app/models/inbox-limits.ts";

/** What was done with messages. Without ids it cannot be undone. */
export interface Done {
  what: SortAction | "note" | "unnote";
  count: number;
  ids: string[];
}

interface Signer {
  secret: string;
  account: string;
}

const kinds = [...(Object.keys(undoOf) as SortAction[]), "note", "unnote"] as const;
// A working day: the notice lasts as long as its page, which may be open for long.
const lifetime = 12 * 60 * 60;
const headBytes = 6;
const idBytes = 16;
const macBytes = 16;

const now = () => Math.floor(Date.now() / 1000);

/**
 * The notice after an action as a text for the page's address, so that each tab keeps its own. Only
 * the site can make one, and only for the account that did it. 50 ids take 1,100 characters.
 */
export function sealDone({ what, count, ids }: Done, signer: Signer): string {
  const head = Buffer.alloc(headBytes);
  head.writeUInt8(kinds.indexOf(what), 0);
  head.writeUInt8(count, 1);
  head.writeUInt32BE(now(), 2);
  const body = Buffer.concat([head, Buffer.from(ids.join("").replaceAll("-", ""), "hex")]);
  return Buffer.concat([body, macOf(body, signer)]).toString("base64url");
}

/** Undefined for a text that is forged, another account's or too old. */
export function openDone(text: string, signer: Signer): Done | undefined {
  const bytes = Buffer.from(text, "base64url");
  const body = bytes.subarray(0, -macBytes);
  const isWhole = body.length >= headBytes && (body.length - headBytes) % idBytes === 0;
  if (!isWhole || !timingSafeEqual(bytes.subarray(-macBytes), macOf(body, signer))) {
    return undefined;
  }
  const what = kinds[body.readUInt8(0)];
  const hex = body.subarray(headBytes).toString("hex");
  const ids = Array.from(hex.matchAll(/.{32}/g), ([id]) =>
    id.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-"),
  );
  const isFresh = now() - body.readUInt32BE(2) < lifetime;
  return what && isFresh ? { what, count: body.readUInt8(1), ids } : undefined;
}

function macOf(body: Buffer, { secret, account }: Signer): Buffer {
  return createHmac("sha256", secret)
    .update(`done ${account} `)
    .update(body)
    .digest()
    .subarray(0, macBytes);
}
