import { randomUUID } from "node:crypto";
import { storeMessages } from "#tests/support/messages.ts";
import type { Target, WorstInput } from "./texts.ts";

const codePoints = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => String.fromCodePoint(first + index)).join("");

// Texts in which matches are found and marked, a page of messages each.
const found: [what: string, word: string, text: string][] = [
  ["a frequent word", "من", "من ".repeat(1600)],
  ["long ligatures", "قبل", `قبل ${"ﷺ".repeat(4900)}`],
  ["many letters", "بعد", `بعد ${codePoints(0x4e00, 4900)}`],
];

/** Searches of the board that find the worst messages. */
export function worstSearches({ site, account }: Target): WorstInput[] {
  return found.map(([what, word, text]) => {
    const messages = Array.from({ length: 51 }, () => ({
      name: "أ",
      email: "a@example.com",
      message: `${text}${randomUUID()}`,
    }));
    const stored = storeMessages(site.dataDir, messages);
    return {
      name: `a search that finds ${what}`,
      async send() {
        await stored;
        return account.get(`/admin?q=${encodeURIComponent(word)}`);
      },
    };
  });
}
