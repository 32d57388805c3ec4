import { href, redirect } from "react-router";
import { z } from "zod";
import { countedMessages, countedMessagesAfter } from "#app/lib/arabic-plural.ts";
import type { FormResult } from "#app/lib/form-errors.ts";
import { boxSchema, type Scope } from "#app/models/inbox-forms.server.ts";
import type { SortAction } from "#app/models/inbox-limits.ts";
import { parseCursor } from "#app/models/inbox.server.ts";
import type { Cursor } from "#app/models/inbox.ts";
import { type Query, readQuery } from "#app/models/search.server.ts";
import { getAccount } from "#app/session/guards.server.ts";
import { type RouterContext, siteContext } from "#app/session/site-context.server.ts";
import { type Done, openDone, sealDone } from "./done-token.server.ts";

export interface View {
  /** It is `any` only in a search. */
  box: Scope;
  search: Query | undefined;
  cursor: Cursor | undefined;
  /** The message that is shown open. */
  open: string | undefined;
  /** The query of the list: its box and its search. `here` adds the page. */
  list: string;
  here: string;
}

const idSchema = z.uuid();

export function readView({ searchParams }: URL): View {
  const search = readQuery(searchParams);
  const box = search?.scope ?? boxSchema.parse(searchParams.get("box"));
  const { data: open } = idSchema.safeParse(searchParams.get("open"));
  const before = searchParams.get("before");
  const cursor = parseCursor(before);
  const list = new URLSearchParams({
    ...(search && { q: search.typed }),
    ...(box !== "all" && { box }),
  });
  const here = new URLSearchParams([...list, ...(cursor && before ? [["before", before]] : [])]);
  return { box, search, cursor, open, list: `${list}`, here: `${here}` };
}

/** Why a form of the board was refused, to show it again. */
export interface BoardAnswer extends FormResult<"id" | "note"> {
  ids?: string[];
}

/** What the last action did. */
export interface BoardResult {
  text: string;
  token: string;
  /** The value of the undo button; undefined after a change of a note. */
  undo: string | undefined;
  /** The message whose note it changed, if it was one. */
  noted: string | undefined;
}

const texts: Record<Done["what"], (messages: string, count: number) => string> = {
  answer: (_, count) => `تم الرد على ${countedMessagesAfter(count)}`,
  unanswer: (messages) => `عادت ${messages} إلى انتظار ردك`,
  archive: (messages) => `أُرشفت ${messages}`,
  unarchive: (messages) => `عادت ${messages} من الأرشيف`,
  spam: (messages) => `نُقلت ${messages} إلى المزعجة`,
  unspam: (messages) => `نُقلت ${messages} إلى لوحة الرسائل`,
  trash: (messages) => `نُقلت ${messages} إلى المهملات`,
  restore: (messages) => `استُعيدت ${messages}`,
  note: () => "حُفظت الملاحظة",
  unnote: () => "حُذفت الملاحظة",
};

export const isOfNote = (what: Done["what"]): what is Exclude<Done["what"], SortAction> =>
  what === "note" || what === "unnote";

const signerOf = (context: RouterContext) => ({
  secret: context.get(siteContext).backend.cookieSecret,
  account: getAccount(context).id,
});

export const onlyOwner = "لم يتغير شيء: لا يغيّر الرسائل إلا صاحب الصندوق. سجّله باسمك لترد وتؤرشف.";

/** Redirects to the same list, with `next` open, or otherwise the message of `view`. */
export function redirectBack(
  context: RouterContext,
  { here, open }: View,
  done: Done,
  next = open,
): Response {
  const params = new URLSearchParams(here);
  if (next) {
    params.set("open", next);
  }
  params.set("done", sealDone(done, signerOf(context)));
  return redirect(`${href("/admin")}?${params}`);
}

export const readDone = (context: RouterContext, token: string) =>
  openDone(token, signerOf(context));

export function readResult(context: RouterContext, { searchParams }: URL): BoardResult | undefined {
  const token = searchParams.get("done");
  const done = token === null ? undefined : readDone(context, token);
  if (!done || token === null) {
    return undefined;
  }
  const { what, count, id } = done;
  const text = texts[what](countedMessages(count), count);
  return isOfNote(what)
    ? { text, token, undo: undefined, noted: id }
    : { text, token, undo: token, noted: undefined };
}
