import { type SortAction, undoOf } from "#app/models/inbox-limits.ts";
import { longId, readSigned, shortId, signText } from "#app/session/signed-text.server.ts";

/** A completed action on messages. */
export interface Done {
  what: SortAction | "note" | "unnote";
  count: number;
  /** The id of the change, for its undo. After a change of a note it is the id of the message. */
  id: string;
}

interface Signer {
  secret: string;
  account: string;
}

// A page may stay open for a working day.
const lifetimeMs = 12 * 60 * 60 * 1000;

/**
 * The result of an action as a signed token for the page's URL, so that each tab keeps its own. It
 * is valid for the signing account only.
 */
export function sealDone({ what, count, id }: Done, signer: Signer): string {
  const text = [what, count, Date.now().toString(36), shortId(id)].join(".");
  return signText(text, keyOf(signer));
}

/** Returns undefined for a token that is forged, expired or another account's. */
export function openDone(token: string, signer: Signer): Done | undefined {
  const text = readSigned(token, keyOf(signer));
  if (text === undefined) {
    return undefined;
  }
  const [what = "", count, time = "", id = ""] = text.split(".");
  const isFresh = Date.now() - Number.parseInt(time, 36) < lifetimeMs;
  if (!isAction(what) || !isFresh) {
    return undefined;
  }
  return { what, count: Number(count), id: longId(id) };
}

// A release may have removed an action since the token was made.
const isAction = (what: string): what is Done["what"] =>
  Object.hasOwn(undoOf, what) || ["note", "unnote"].includes(what);

const keyOf = ({ secret, account }: Signer) => ({ secret, purpose: `done ${account}` });
