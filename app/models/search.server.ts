import { matchesIn, searchWords } from "#app/lib/fold.ts";
import { querySchema, type Scope, scopeSchema } from "./inbox-forms.server.ts";
import { inboxLimits } from "./inbox-limits.ts";
import type { BoardMessage, Marks } from "./inbox.ts";

/** A parsed search, or the error to show next to the typed text. */
export type Query = { typed: string; scope: Scope } & (
  | { query: string; words: readonly string[]; error?: undefined }
  | { error: string }
);

export const noWordLeft = "اكتب للبحث حروفًا غير الهمزة والتطويل والحركات";

/** Parses `?q=` and `?box=`. Returns undefined without a search. */
export function readQuery(params: URLSearchParams): Query | undefined {
  const text = (params.get("q") ?? "").replace(/\s+/g, " ").trim();
  if (text === "") {
    return undefined;
  }
  const scope = scopeSchema.parse(params.get("box"));
  const { data: asked, error } = querySchema.safeParse(text);
  if (!asked) {
    const typed = text.slice(0, inboxLimits.search.most * 2);
    return { typed, scope, error: error.issues[0]?.message ?? "" };
  }
  const { typed, query } = asked;
  const words = searchWords(query);
  return words.length > 0 ? { typed, scope, query, words } : { typed, scope, error: noWordLeft };
}

const searched = ["name", "email", "phone", "message", "note"] as const;

// In characters. A row shows this much of a text; a later match is shown with what is around it.
const alwaysShown = 50;
const excerptLength = { before: 30, after: 120 };

/** Adds to a search result where its texts match `words` (of `readQuery`). */
export function withMatches(message: BoardMessage, words: readonly string[]): BoardMessage {
  const marks: Marks = {};
  for (const field of searched) {
    const places = matchesIn(message[field] ?? "", words);
    if (places.length > 0) {
      marks[field] = places;
    }
  }
  const isNote = !marks.message && marks.note !== undefined;
  const text = isNote ? (message.note ?? "") : message.message;
  const [first] = (isNote ? marks.note : marks.message) ?? [];
  const excerpt = first === undefined ? undefined : excerptOf(text, first, words);
  return { ...message, found: { marks, ...(excerpt && { excerpt: { ...excerpt, isNote } }) } };
}

function excerptOf(whole: string, first: number, words: readonly string[]) {
  const { before, after } = excerptLength;
  const isEarly = first < alwaysShown;
  const lead = isEarly
    ? whole.slice(0, first)
    : `… ${whole.slice(first - before, first).replace(/^\S*\s|^[\uDC00-\uDFFF]/, "")}`;
  const rest = whole.slice(first, first + after).replace(/[\uD800-\uDBFF]$/, "");
  const end = first + after < whole.length ? " …" : "";
  const text = (lead + rest + end).replace(/\s+/g, " ");
  return { text, marks: matchesIn(text, words) };
}
