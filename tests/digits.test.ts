import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync, Visitor } from "vite";
import { expect, test } from "vitest";
import { root } from "#tests/support/spawn-server.ts";

const arabic = /\p{Script=Arabic}/u;
const latinDigit = /[0-9]/;

const specified = "the specification has it to the letter";
/** Arabic texts with Latin digits, and why. */
const latin: Record<string, string> = {
  "© 2025 . جميع الحقوق محفوظة.": specified,
  "رقم واتساب غير صحيح. اكتبه مع رمز بلدك، مثل \u2066+966501234567\u2069.":
    "a number as keyboards of telephones type it",
};
/** What stands in Arabic sentences and is a text already; a number goes through these functions. */
const numberTexts =
  /^(?:arabicNumber|counted|countedMessages|countedMessagesAfter|newMessagesText|waitText|agoText|dayText|timeText)\(/;
const texts: Record<string, string> = {
  passwordMinLength: specified,
  messages: "countedMessages has made it",
  "terms.kept": "counted has made it",
  "terms.discarded": "counted has made it",
  since: "dayText has made it",
  "newest.ago": "agoText has made it",
  done: "a sentence",
  reason: "a sentence",
  cause: "a sentence",
  failure: "a sentence",
  "result.failure": "a sentence",
  place: "the name of a box",
  "full.name": "the name of a box",
  verb: "a word",
  name: "a person's or a device's own name",
  "device ?? unknown": "a device's own name",
  device: "a device's own name",
  label: "a word",
  "channel.name": "the name of a channel",
  "channel.undelivered": "counted has made it",
  "channel.cause": "a sentence",
  "sent.ago": "agoText has made it",
  next: "longDate has made it",
  "due.text": "promise.server.ts has made it",
  "best.name": "a word",
  "message.name": "a person's own name",
  "shorten(ownerName, longestName)": "the owner's own name",
  answerTime: "the owner's own words",
  deadline: "promise.server.ts has made it",
  passed: "a word",
  date: "Intl has made it",
  day: "Intl has made it",
  "days === 0 ? timeText(due) : day": "Intl has made it",
  time: "Intl has made it",
  now: "longDate has made it",
  before: "longDate has made it",
  head: "markup",
  more: "markup",
  title: "a sentence",
  text: "a sentence",
  "brand.name": "the site's own name",
  otherwise: "a sentence",
  'isOn ? "إيقاف" : "تشغيل"': "a word",
  'count > 2 ? "بـ" : ""': "a word",
  'search.inAll ? ` (${search.inAll})` : ""': "sizeOf has made it",
  "owner.name": "the owner's own name",
  "shorten(owner.name, longestName)": "the owner's own name",
};

/** The Arabic sentences of a source whose numbers have Latin digits, or may have. */
function latinNumbers(file: string): string[] {
  const source = readFileSync(file, "utf8");
  const found: string[] = [];
  const check = (parts: string[], inserted: { start: number; end: number }[]) => {
    const text = parts.join("").replaceAll(/\s+/g, " ").trim();
    if (!arabic.test(text)) {
      return;
    }
    if (latinDigit.test(text.replaceAll(/<[^>]*>/g, "")) && !(text in latin)) {
      found.push(text);
    }
    for (const { start, end } of inserted) {
      const expression = source.slice(start, end);
      if (!numberTexts.test(expression) && !(expression in texts)) {
        found.push(`${expression} in ${text}`);
      }
    }
  };
  new Visitor({
    // A pattern is no sentence.
    Literal: ({ value }) => check(value instanceof RegExp ? [] : [String(value)], []),
    TemplateLiteral: ({ quasis, expressions }) =>
      check(
        quasis.map(({ value }) => value.raw),
        expressions,
      ),
    JSXElement: ({ children }) => {
      const inserted = children.flatMap((child) =>
        child.type === "JSXExpressionContainer" &&
        ["Identifier", "MemberExpression", "CallExpression"].includes(child.expression.type)
          ? [child.expression]
          : [],
      );
      const own = children.flatMap((child) => (child.type === "JSXText" ? [child.value] : []));
      check(own, inserted);
    },
  }).visit(parseSync(file, source).program);
  return found;
}

test("numbers in Arabic sentences have Arabic digits", () => {
  const files = globSync(join(root, "app/**/*.{ts,tsx}"));
  const sources = files.filter((file) => !file.endsWith(".test.ts"));
  expect(sources.flatMap(latinNumbers)).toEqual([]);
});
