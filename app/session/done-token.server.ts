import { createHmac, timingSafeEqual } from "node:crypto";
import { type SortAction, undoOf } from "#app/models/inbox-limits.ts";

/** A completed action on messages. */
export interface Done {
  what: SortAction | "note" | "unnote" | "renote";
  count: number;
  /** The change, for its undo; and the message beside which the notice is shown. */
  ids: [change: string, beside?: string | undefined];
}

/** The `change` of a note that was saved unchanged, which has no undo. */
export const noChange = "00000000-0000-0000-0000-000000000000";

interface Signer {
  secret: string;
  account: string;
}

const kinds = [...(Object.keys(undoOf) as SortAction[]), "note", "unnote", "renote"] as const;
// In seconds: a working day, because a page may stay open for long.
const lifetime = 12 * 60 * 60;
const headBytes = 6;
const idBytes = 16;
const macBytes = 16;

const now = () => Math.floor(Date.now() / 1000);

/**
 * The notice of an action as a signed token for the page's URL, so that each tab keeps its own. It
 * is valid for the signing account only.
 */
export function sealDone({ what, count, ids }: Done, signer: Signer): string {
  const head = Buffer.alloc(headBytes);
  head.writeUInt8(kinds.indexOf(what), 0);
  head.writeUInt8(count, 1);
  head.writeUInt32BE(now(), 2);
  const body = Buffer.concat([head, Buffer.from(ids.join("").replaceAll("-", ""), "hex")]);
  return Buffer.concat([body, macOf(body, signer)]).toString("base64url");
}

/** Returns undefined for a token that is forged, expired or another account's. */
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
