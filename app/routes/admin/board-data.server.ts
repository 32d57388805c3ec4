import { setImmediate } from "node:timers/promises";
import { owner } from "#app/content/owner.ts";
import { arabicNumber } from "#app/lib/arabic-number.ts";
import { counted, type PluralForms } from "#app/lib/arabic-plural.ts";
import { runningAbsence } from "#app/models/absences.server.ts";
import { boxNames } from "#app/models/boxes.ts";
import {
  type InboxRead,
  readInbox,
  readInboxState,
  searchInbox,
} from "#app/models/inbox.server.ts";
import type { BoardMessage, InboxPage } from "#app/models/inbox.ts";
import { readPrivacyTerms } from "#app/models/privacy.server.ts";
import { noWordLeft, withMatches } from "#app/models/search.server.ts";
import { getSupabase } from "#app/session/clients.server.ts";
import { getAccount } from "#app/session/guards.server.ts";
import { type RouterContext, siteContext } from "#app/session/site-context.server.ts";
import type { View } from "./board-view.server.ts";
import { readLacks } from "./readiness.server.ts";
import { withWords } from "./state-words.server.ts";

/** A search for its form and its list. */
export interface BoardSearch {
  typed: string;
  error?: string;
  /** The number of results, in Arabic. */
  summary?: string;
  /** How many results all boxes have, if this box has none: a number in Arabic digits, or "" for none. */
  inAll?: string | undefined;
}

type BoardList = InboxRead & { search?: BoardSearch };

const resultForms: PluralForms = {
  zero: "لا نتائج",
  one: "نتيجة واحدة",
  two: "نتيجتان",
  few: "نتائج",
  many: "نتيجة",
  other: "نتيجة",
};

const nothing: InboxPage = { messages: [], hasOlder: false };

/** Reads what the board shows at an address. @throws {Response} */
export async function readBoard(context: RouterContext, view: View) {
  const { box, list, pageQuery, cursor, open } = view;
  const now = Date.now();
  const [shown, terms] = await Promise.all([
    readList(context, view, now),
    box === "trash" ? readPrivacyTerms(context.get(siteContext).backend) : undefined,
  ]);
  const term = terms && { days: terms.discarded_days, now };
  const words = (message: BoardMessage) => withWords(message, box, term);
  const { page, opened } = shown;
  const isOwner = shown.state.owner === "me";
  return {
    box,
    list,
    pageQuery,
    ...shown,
    page: { ...page, messages: page.messages.map(words) },
    ...(opened && { opened: words(opened) }),
    openedId: open,
    /** Who reads it. */
    account: (await getAccount(context)).id,
    isNewest: cursor === undefined,
    ownerName: owner.name,
    replies: isOwner ? (owner.replies ?? []) : [],
    lacks: isOwner && shown.state.may_read ? readLacks(context) : [],
    away: isOwner ? runningAbsence(context.get(siteContext).absences.list, now) : undefined,
    /** The server's time decides which messages are due, because a browser's clock may be wrong. */
    now: new Date(now).toISOString(),
  };
}

async function readList(context: RouterContext, view: View, now: number): Promise<BoardList> {
  const supabase = getSupabase(context);
  const { box, cursor, search, open } = view;
  const { list: absences } = context.get(siteContext).absences;
  const hasLine = !search && (box === "all" || box === "waiting");
  const options = { open, hasLine, now, absences };
  if (!search) {
    return readInbox(supabase, { box: box === "any" ? "all" : box, cursor, ...options });
  }
  const { typed, error } = search;
  const found =
    error === undefined
      ? await searchInbox(supabase, { query: search.query, box, cursor, ...options })
      : undefined;
  if (!found || error !== undefined) {
    const state = await readInboxState(supabase);
    return { state, page: nothing, search: { typed, error: error ?? noWordLeft } };
  }
  const { page, ...rest } = found;
  // A session that has ended finds nothing, and could not search again.
  await getAccount(context);
  const isNone = page.messages.length === 0 && !cursor && box !== "any";
  const inAll = isNone
    ? await searchInbox(supabase, { query: search.query, box: "any", cursor, now, absences })
    : undefined;
  const messages: BoardMessage[] = [];
  for (const message of page.messages) {
    messages.push(withMatches(message, search.words));
    // A long message takes milliseconds, so other requests get their turn in between.
    await setImmediate();
  }
  return {
    ...rest,
    page: { ...page, messages },
    search: { typed, summary: summaryOf(found, view), inAll: inAll && sizeOf(inAll.page) },
  };
}

const sizeOf = ({ messages, hasOlder }: InboxPage): string =>
  messages.length === 0 ? "" : (hasOlder ? "+" : "") + arabicNumber(messages.length);

function summaryOf({ page }: InboxRead, { box, cursor }: View): string {
  const { messages, hasOlder } = page;
  const place = `«${boxNames[box]}»`;
  if (messages.length === 0) {
    return cursor ? `لا نتائج أقدم في ${place}.` : `لا نتائج في ${place}.`;
  }
  return !hasOlder && !cursor
    ? `${counted(messages.length, resultForms)} في ${place}`
    : `نتائج البحث في ${place}، الأحدث أولًا`;
}
