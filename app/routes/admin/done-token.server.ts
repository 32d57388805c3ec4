import { type SortAction, undoOf } from "#app/models/inbox-limits.ts";
import { longId, readSigned, shortId, signText } from "#app/session/signed-text.server.ts";

/** A completed action on messages. */
export interface Done {
  what: SortAction | "note" | "unnote" | "renote";
  count: number;
  /** The change, for its undo; and the message whose note was changed. */
  ids: [change: string, noted?: string | undefined];
}

/** The `change` of a note that was saved unchanged, which has no undo. */
export const noChange = "00000000-0000-0000-0000-000000000000";

interface Signer {
  secret: string;
  account: string;
}

// A working day, because a page may stay open for long.
const lifetimeMs = 12 * 60 * 60 * 1000;

/**
 * The result of an action as a signed token for the page's URL, so that each tab keeps its own. It
 * is valid for the signing account only.
 */
export function sealDone({ what, count, ids }: Done, signer: Signer): string {
  const shortIds = ids.filter((id) => id !== undefined).map(shortId);
  const text = [what, count, Date.now().toString(36), ...shortIds].join(".");
  return signText(text, keyOf(signer));
}

/** Returns undefined for a token that is forged, expired or another account's. */
export function openDone(token: string, signer: Signer): Done | undefined {
  const text = readSigned(token, keyOf(signer));
  if (text === undefined) {
    return undefined;
  }
  const [what = "", count, time = "", change = "", noted] = text.split(".");
  const isFresh = Date.now() - Number.parseInt(time, 36) < lifetimeMs;
  if (!isAction(what) || !isFresh) {
    return undefined;
  }
  const ids: Done["ids"] = noted ? [longId(change), longId(noted)] : [longId(change)];
  return { what, count: Number(count), ids };
}

// A release may have removed an action since the token was made.
const isAction = (what: string): what is Done["what"] =>
  Object.hasOwn(undoOf, what) || ["note", "unnote", "renote"].includes(what);

const keyOf = ({ secret, account }: Signer) => ({ secret, purpose: `done ${account}` });
