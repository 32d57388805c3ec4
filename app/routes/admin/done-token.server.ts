import { createHmac, timingSafeEqual } from "node:crypto";
import { type SortAction, undoOf } from "#app/models/inbox-limits.ts";

/** A completed action on messages. */
export interface Done {
  what: SortAction | "note" | "unnote" | "renote";
  count: number;
  /** The change, for its undo; and the message beside which the result is shown. */
  ids: [change: string, beside?: string | undefined];
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
  return `${text}.${macOf(text, signer)}`;
}

/** Returns undefined for a token that is forged, expired or another account's. */
export function openDone(token: string, signer: Signer): Done | undefined {
  const end = token.lastIndexOf(".");
  const text = token.slice(0, Math.max(end, 0));
  if (!isEqual(token.slice(end + 1), macOf(text, signer))) {
    return undefined;
  }
  const [what = "", count, time = "", change = "", beside] = text.split(".");
  const isFresh = Date.now() - Number.parseInt(time, 36) < lifetimeMs;
  if (!isAction(what) || !isFresh) {
    return undefined;
  }
  const ids: Done["ids"] = beside ? [longId(change), longId(beside)] : [longId(change)];
  return { what, count: Number(count), ids };
}

// A release may have removed an action since the token was made.
const isAction = (what: string): what is Done["what"] =>
  Object.hasOwn(undoOf, what) || ["note", "unnote", "renote"].includes(what);

const shortId = (id: string) => Buffer.from(id.replaceAll("-", ""), "hex").toString("base64url");

const longId = (id: string) =>
  Buffer.from(id, "base64url")
    .toString("hex")
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");

function macOf(text: string, { secret, account }: Signer): string {
  const mac = createHmac("sha256", secret).update(`done ${account} ${text}`).digest();
  return mac.subarray(0, 16).toString("base64url");
}

function isEqual(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
