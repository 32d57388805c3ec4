import { createHmac, timingSafeEqual } from "node:crypto";
import { type SortAction, undoOf } from "#app/models/inbox-limits.ts";

/** What was done with messages. */
export interface Done {
  what: SortAction | "note" | "unnote" | "renote";
  count: number;
  /** Of the change, which its undo takes; of a note also its message's. */
  ids: [change: string, message?: string];
}

/** The change of a note that was saved as it stood: nothing to undo. */
export const noChange = "00000000-0000-0000-0000-000000000000";

interface Signer {
  secret: string;
  account: string;
}

const kinds = [...(Object.keys(undoOf) as SortAction[]), "note", "unnote", "renote"] as const;
// A working day: the notice lasts as long as its page, which may be open for long.
const lifetime = 12 * 60 * 60;
const headBytes = 6;
const idBytes = 16;
const macBytes = 16;

const now = () => Math.floor(Date.now() / 1000);

/**
 * The notice after an action as a text for the page's address, so that each tab keeps its own. Only
 * the site can make one, and only for the account that did it.
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
  const isWhole = [1, 2].some((count) => body.length === headBytes + count * idBytes);
  if (!isWhole || !timingSafeEqual(bytes.subarray(-macBytes), macOf(body, signer))) {
    return undefined;
  }
  const what = kinds[body.readUInt8(0)];
  const hex = body.subarray(headBytes).toString("hex");
  const [change, message] = Array.from(hex.matchAll(/.{32}/g), ([id]) =>
    id.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-"),
  );
  const isFresh = now() - body.readUInt32BE(2) < lifetime;
  if (!what || !isFresh || change === undefined) {
    return undefined;
  }
  return {
    what,
    count: body.readUInt8(1),
    ids: message === undefined ? [change] : [change, message],
  };
}

function macOf(body: Buffer, { secret, account }: Signer): Buffer {
  return createHmac("sha256", secret)
    .update(`done ${account} `)
    .update(body)
    .digest()
    .subarray(0, macBytes);
}
