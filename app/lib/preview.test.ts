import { expect, test } from "vitest";
import { directionOf, greetingLength } from "./preview.ts";

test.each([
  "السلام عليكم\n",
  "السلام عليكم ورحمة الله وبركاته\n\n",
  "سلام عليكم و رحمة الله،\n",
  "السلام عليكم يا أستاذ محمد،\n",
  "مرحبا\n",
  "مرحبًا أستاذ محمد،\n",
  "مرحباً!\n",
  "أهلًا وسهلًا\n",
  "هلا،\n",
  "تحية طيبة وبعد،\n",
  "السلام عليكم\nتحية طيبة وبعد:\n",
  "صباح الخير\n",
  "مساء الخير أخي،\n",
  "Hi\n",
  "Hello Mohammed,\n\n",
  "Dear Sir or Madam,\n",
  `مرحبًا ${"ن".repeat(24)}،\n`,
  "أهلا أ. محمد\n",
  "السلام عليكم\nمرحبا أستاذ محمد\n\n",
])("a row leaves out %j before the message", (greeting) => {
  expect(greetingLength(`${greeting}أريد صفحة هبوط.\nشكرًا`)).toBe(greeting.length);
});

test.each([
  "",
  "السلام عليكم",
  "السلام عليكم\n",
  "السلام عليكم، أريد صفحة\nشكرًا",
  "مرحبا كم السعر\nشكرًا",
  `مرحبًا ${"ن".repeat(25)}،\nشكرًا`,
  "مرحبا كم السعر؟\nشكرًا",
  "هلال المتجر\nاسم متجري",
  "Hi there, I need a page for my shop\nThanks",
  "High quality\nand fast",
  "أريد صفحة\nالسلام عليكم\nمحمد",
])("a row shows all of %j", (text) => {
  expect(greetingLength(text)).toBe(0);
});

test.each([
  ["أريد صفحة مثل https://example.com/a-long-address?with=letters", "rtl"],
  ["راسلني على a.long.address@mail.example.com", "rtl"],
  ["I need a page like متجري", "ltr"],
  ["صفحة landing page", "ltr"],
  ["صفحة هبوط landing", "rtl"],
  ["Привет", "ltr"],
  ["123 ٤٥ !", "rtl"],
  ["", "rtl"],
])("%j reads %s", (text, direction) => {
  expect(directionOf(text)).toBe(direction);
});

test("neither takes long, whatever is sent", () => {
  for (const text of ["\n", " ", "السلام عليكم\n", "Hi a", "@", "w.", "a://", "،"]) {
    const long = text.repeat(5000);
    const start = performance.now();
    greetingLength(long);
    directionOf(long);
    expect(performance.now() - start).toBeLessThan(100);
  }
});
