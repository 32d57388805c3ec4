// Same as private.fold (supabase/migrations/20261126001000_search.sql), which has the reasons.
const chunks = /.{1,100}/gsu;
const dropped =
  /[\u0300-\u036F\u064B-\u065F\u0670\u06D6-\u06DC\u06DF-\u06E8\u06EA-\u06ED\u08D3-\u08FF\uFE00-\uFE0F\u0610-\u061C\u00AD\u0621\u0640\u066C\u0674\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/g;
const relatives = {
  ا: "ٱ",
  ب: "پ",
  ت: "ٹ",
  ج: "چ",
  د: "ڈ",
  ر: "ڕڑ",
  ز: "ژ",
  ف: "ڤ",
  ك: "کڪگ",
  ل: "ڵ",
  ن: "ں",
  ه: "ةەہھۃ",
  و: "ۆۇۋ",
  ي: "ىیےێېۍ",
  ss: "ß",
  ".": "٫",
  "%": "٪",
};
const plain = new Map([
  ...Object.entries(relatives).flatMap(([one, all]) =>
    Array.from(all, (other) => [other, one] as const),
  ),
  ...Array.from("٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹", (digit, at) => [digit, String(at % 10)] as const),
]);
const relative = new RegExp(`[${[...plain.keys()].join("")}]`, "g");

/** Gives hamza one seat where spellings differ. Keeps the length. */
const withOneSeat = (text: string) =>
  text
    .replace(/[ئء](?=[\u064B-\u0652\u0640]*و)/g, "ؤ")
    .replace(/(?<=ي[\u064B-\u0652\u0640]*)أ(?=[\u064B-\u0652\u0640]*ة)/g, "ئ");

// A character with its combining marks, which NFKD reorders. It turns U+FF9E and U+FF9F into marks.
const clusters = /.[\p{M}\uFF9E\uFF9F]*/gsu;

function foldCluster(cluster: string): string {
  return (
    cluster
      .normalize("NFKD")
      // Each cluster alone, so that Σ never gets its form for the end of a word.
      .toLowerCase()
      .replace(dropped, "")
      .replace(relative, (one) => plain.get(one) ?? one)
  );
}

// A cache: texts consist of few different clusters.
const known = new Map<string, string>();
const knownLimits = { clusters: 2000, length: 8 };

function foldKnown(cluster: string): string {
  const found = known.get(cluster);
  if (found !== undefined) {
    return found;
  }
  const folded = foldCluster(cluster);
  if (known.size === knownLimits.clusters) {
    known.clear();
  }
  if (cluster.length <= knownLimits.length) {
    known.set(cluster, folded);
  }
  return folded;
}

/** A folded text. `starts[i]` is the offset in the original from which UTF-16 unit `i` comes. */
interface Folded {
  text: string;
  starts: number[];
}

/** Folds a text for search as the database does. Linear time. */
export function fold(original: string): Folded {
  const parts: string[] = [];
  const starts: number[] = [];
  let start = 0;
  for (const chunk of withOneSeat(original).match(chunks) ?? []) {
    for (const cluster of chunk.match(clusters) ?? []) {
      const text = foldKnown(cluster);
      parts.push(text);
      for (let unit = 0; unit < text.length; unit += 1) {
        starts.push(start);
      }
      start += cluster.length;
    }
  }
  return { text: parts.join(""), starts };
}

// This is for one text. Otherwise a page whose texts match everywhere would have 80,000 marks.
const mostMatches = 100;

/** The offsets [start, end, start, end, …] of the first matches of searchWords, ascending. */
export function matchesIn(original: string, words: readonly string[]): number[] {
  const { text, starts } = fold(original);
  const isMatch = new Uint8Array(original.length);
  for (const word of words) {
    let first = text.indexOf(word);
    while (first >= 0) {
      let next = first + word.length;
      const last = starts[next - 1];
      // Dropped characters that follow, such as a tatweel, and the rest of a ligature are included.
      while (starts[next] === last) {
        next += 1;
      }
      isMatch.fill(1, starts[first], starts[next]);
      first = text.indexOf(word, next);
    }
  }
  const places: number[] = [];
  for (let at = 0; at <= isMatch.length && places.length < 2 * mostMatches; at += 1) {
    if ((isMatch[at] ?? 0) !== (isMatch[at - 1] ?? 0)) {
      places.push(at);
    }
  }
  return places;
}

/** The folded words of a search, without those that fold to nothing. */
export const searchWords = (query: string): string[] =>
  query
    .split(/\s+/)
    .map((word) => fold(word).text)
    .filter((word) => word !== "");
