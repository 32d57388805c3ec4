import { href, redirect } from "react-router";
import { z } from "zod";
import type { FormResult } from "#app/lib/form-errors.ts";
import { boxSchema, type Scope } from "#app/models/inbox-forms.server.ts";
import { parseCursor } from "#app/models/inbox.server.ts";
import type { Cursor } from "#app/models/inbox.ts";
import { type Query, readQuery } from "#app/models/search.server.ts";
import { type Done, doneText } from "./done.ts";

export interface View {
  /** It is `any` only in a search. */
  box: Scope;
  search: Query | undefined;
  cursor: Cursor | undefined;
  /** The message that is shown open. */
  open: string | undefined;
  /** The query of the list: its box and its search. `pageQuery` adds the page. */
  list: string;
  pageQuery: string;
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
  const pageQuery = new URLSearchParams([
    ...list,
    ...(cursor && before ? [["before", before]] : []),
  ]);
  return { box, search, cursor, open, list: `${list}`, pageQuery: `${pageQuery}` };
}

/** Why a form of the board was refused, to show it again. */
export interface BoardAnswer extends FormResult<"id" | "note"> {
  ids?: string[];
}

export const onlyOwner =
  "لم يتغير شيء: لا يغيّر الرسائل إلا صاحب الصندوق. سجّل الصندوق باسمك لترد وتؤرشف.";

/** Redirects to the same list, with `next` open, or otherwise the message of `view`. */
export function redirectBack({ pageQuery, open }: View, done: Done, next = open): Response {
  const params = new URLSearchParams(pageQuery);
  if (next) {
    params.set("open", next);
  }
  params.set("done", doneText(done));
  return redirect(`${href("/admin")}?${params}`);
}
