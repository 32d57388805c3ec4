import { matchesIn, searchWords } from "#app/lib/fold.ts";
import { querySchema, type Scope, scopeSchema } from "./inbox-forms.server.ts";
import { boxNames, inboxLimits } from "./inbox-limits.ts";
import type { BoardMessage, Marks } from "./inbox.ts";

/** What somebody looks for, and what is wrong with it. */
export type Query = { typed: string; scope: Scope } & (
  | { query: string; words: readonly string[]; error?: undefined }
  | { error: string }
);

export const noWordLeft = "اكتب للبحث حروفًا غير الهمزة والتطويل والحركات";

/** Reads `?q=` and `?box=`; undefined if no word was typed. */
export function readQuery(params: URLSearchParams): Query | undefined {
  const text = (params.get("q") ?? "").replace(/\s+/g, " ").trim();
  if (text === "") {
    return undefined;
  }
  // The form sends the box that is shown and, when it is to look in all, that as well.
  const isAny = params.getAll("box").includes("any");
  const scope = isAny ? "any" : scopeSchema.parse(params.get("box") ?? "all");
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

// Of a message, in characters: what is seen of it at least, and of the text around a match.
const seen = 50;
const around = { before: 30, most: 120 };

export function withMatches(
  message: BoardMessage,
  { words, scope }: { words: readonly string[]; scope: Scope },
): BoardMessage {
  const marks: Marks = {};
  for (const field of searched) {
    const places = matchesIn(message[field] ?? "", words);
    if (places.length > 0) {
      marks[field] = places;
    }
  }
  const { archived_at: archived, deleted_at: deleted, spam_signs: spam } = message;
  const isOnBoard = archived === null && deleted === null && spam === null;
  const badges = scope === "any" && isOnBoard ? [boxNames.all, ...message.badges] : message.badges;
  const excerpt = excerptOf(message.message, marks.message, words);
  return { ...message, badges, found: { marks, ...(excerpt && { excerpt }) } };
}

function excerptOf(text: string, [first = 0]: number[] = [], words: readonly string[]) {
  if (first < seen) {
    return undefined;
  }
  const before = text.slice(first - around.before, first).replace(/^\S*\s|^[\uDC00-\uDFFF]/, "");
  const rest = text.slice(first, first + around.most).replace(/[\uD800-\uDBFF]$/, "");
  const end = first + around.most < text.length ? " …" : "";
  const excerpt = `… ${before}${rest}${end}`.replace(/\s+/g, " ");
  return { text: excerpt, marks: matchesIn(excerpt, words) };
}
