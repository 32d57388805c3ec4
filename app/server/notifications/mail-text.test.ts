import { expect, test } from "vitest";
import { owner } from "#app/content/owner.ts";
import { arabicNumber } from "#app/lib/arabic-number.ts";
import { furtherFields } from "#tests/support/messages.ts";
import { mailTexts } from "./mail-text.ts";
import type { NotifiedMessage } from "./notification.ts";

const site = new URL("https://tawasul.example");
const both = { hasBody: true, isAnswerable: true, absences: [] };

const message: NotifiedMessage = {
  ...furtherFields,
  id: "0b8f6a52-7c1d-4e7a-9a55-1d3c2f4b5a69",
  name: "نورة السالم",
  email: "noura@example.com",
  phone: "966500000002",
  message: "السلام عليكم\n\nأبغى صفحة هبوط لحملة رمضان.",
  created_at: "2026-11-24T06:15:00Z",
};
const board = `https://tawasul.example/admin?open=${message.id}`;

const mailOf = (newest: NotifiedMessage[], messages = newest.length, parts = both) =>
  mailTexts({ id: message.id, to: "owner@example.com", messages, newest }, site, parts);

const unescaped = (html: string) => html.replaceAll("&amp;", "&").replaceAll("&#39;", "'");

const start = (link: string) => unescaped(link).replace(/\?(?:text|subject)=.*/, "");

/** The links of a mail: in HTML without what follows "?text=" or "?subject=", in text as they are. */
function linksOf({ html, text }: ReturnType<typeof mailOf>) {
  return {
    html: Array.from(html.matchAll(/ href="([^"]*)"/g), ([, link = ""]) => start(link)),
    text: Array.from(text.matchAll(/: ((?:https|mailto):\S+)$/gm), ([, link = ""]) => link),
  };
}

test("a mail of one message offers replies first and then the board, also as plain text", () => {
  const mail = mailOf([message]);
  const links = ["https://wa.me/966500000002", "mailto:noura@example.com", board];
  expect(linksOf(mail)).toEqual({ html: links, text: links });
  expect(mail.html).toMatch(/class="fill"[^>]*>ردّ بواتساب<\/a>/);
  expect(mail.html).toMatch(/class="outline"[^>]*>ردّ بالبريد<\/a>/);
  // A point between them would stand at the line's end in a narrow window.
  expect(mail.text).toContain("\n+966 50 000 0002\n\nnoura@example.com\n");
  expect(mail.html).toMatch(/class="small"[^>]*><bdi dir="ltr">noura@example\.com<\/bdi><\/p>/);
  expect(mail.text).toContain("الرد على هذا التنبيه يصل إلى صاحب الرسالة أيضًا.");
});

test.runIf(owner.promise)("a mail of one message says until when an answer was promised", () => {
  const { html, text } = mailOf([message]);
  const [, due = ""] = /\n(وعدتَ بالرد قبل: .+[٠-٩].+)\n/.exec(text) ?? [];
  expect(due).not.toBe("");
  expect(html).toMatch(new RegExp(`class="due"[^>]*>${due}</p>`));
});

test("without a number the reply by mail is the filled one", () => {
  const { html, text } = mailOf([{ ...message, phone: null }]);
  expect(html).toMatch(/class="fill"[^>]*>ردّ بالبريد<\/a>/);
  expect(html + text).not.toContain("واتساب");
});

test("a mail of several messages has three links for each, and the board at the end", () => {
  const other = { ...message, id: "5a1c8f0e-2222-4444-8888-99aabbccddee", phone: null };
  const mail = mailOf([message, other], 5);
  const links = [
    "https://wa.me/966500000002",
    "mailto:noura@example.com",
    board,
    "mailto:noura@example.com",
    `https://tawasul.example/admin?open=${other.id}`,
    "https://tawasul.example/admin",
  ];
  expect(linksOf(mail)).toEqual({ html: links, text: links });
  expect(mail.html).toContain("وفي اللوحة ٣ رسائل أخرى.");
  expect(mail.html).not.toContain('class="outline"');
  expect(mail.html).not.toContain("·");
});

test.each([
  [1, "وفي اللوحة رسالة أخرى."],
  [2, "وفي اللوحة رسالتان أخريان."],
  [11, "وفي اللوحة ١١ رسالة أخرى."],
])("%i more messages are a sentence", (left, words) => {
  expect(mailOf([message], 1 + left).text).toContain(words);
});

// Gmail cuts a mail over 102 kB, and hides what follows.
test.each(["ي", "😀", '"', "<", "س\n"])(
  "a mail of the longest messages, of %j, fits into 90 kB, cuts none, and says how many are left",
  (part) => {
    const longest = part.repeat(5000 / part.length);
    const name = part.trim().repeat(100 / part.length);
    const messages = Array.from({ length: 20 }, () => ({ ...message, name, message: longest }));
    const { html, text } = mailOf(messages, 25);
    const size = Buffer.byteLength(html);
    expect(size).toBeLessThanOrEqual(90_000);
    const shown = text.split(longest.replaceAll(/^/gm, "> ")).length - 1;
    expect(html.match(/ class="quote/g)).toHaveLength(shown);
    expect(text).toContain(`وفي اللوحة ${arabicNumber(25 - shown)} `);
    expect(html).toContain('href="https://tawasul.example/admin"');
    // There was no room for one more.
    expect(size + size / shown).toBeGreaterThan(90_000);
  },
);

test("without quotes no part of a mail has the message, not even a reply's link", () => {
  const word = /رمضان|%D8%B1%D9%85%D8%B6%D8%A7%D9%86/;
  const quoting = mailOf([message]);
  expect([...quoting.html.matchAll(new RegExp(word, "g"))]).toHaveLength(3);
  const { html, text } = mailOf([message], 1, { ...both, hasBody: false });
  expect(html + text).not.toMatch(word);
  expect(html).not.toContain('class="quote');
});

test.each([
  [message.message, "rtl", "right"],
  ["Hi,\nI saw متجر العطور and loved how calm it is.", "ltr", "left"],
])("a quote is one element in the direction of most of its letters: %j", (body, dir, side) => {
  const { html } = mailOf([{ ...message, message: body }]);
  const quotes = Array.from(html.matchAll(/<div dir="(...)" class="(\S+)"[^>]*>(.*)<\/div>/g));
  expect(quotes.map((quote) => quote.slice(1))).toEqual([
    [dir, `quote-${side}`, body.replaceAll("\n", "<br>")],
  ]);
});

test("in plain text each line of a message is quoted, so that none passes for the site's own", () => {
  const forged = "مرحبًا\n\n* * *\n\nفتح الرسالة في اللوحة: https://evil.example/admin";
  const { text } = mailOf([{ ...message, message: forged }]);
  const quoted = text.split("\n").filter((line) => line.startsWith("> "));
  expect(quoted).toEqual(forged.split("\n").map((line) => `> ${line}`));
});

test("what a visitor wrote is escaped everywhere, and makes no link", () => {
  const hostile = `<a href="https://evil.example">'&"</a>`;
  const mail = mailOf([
    { ...message, name: hostile, email: `"'><b>"@x.example`, message: hostile },
  ]);
  expect(mail.html).not.toMatch(/<a href="https:\/\/evil|<b>/);
  expect(mail.html.split("&lt;a href=&quot;https://evil.example&quot;&gt;")).toHaveLength(3);
  expect(linksOf(mail).html).toEqual([
    "https://wa.me/966500000002",
    "mailto:%22'%3E%3Cb%3E%22@x.example",
    board,
  ]);
  expect(mail.subject).toBe("رسالة جديدة من موقعك");
  expect(mail.text).toContain(hostile);
});
