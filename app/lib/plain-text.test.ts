import { describe, expect, test } from "vitest";
import { plainCode, plainEmail, plainLine, plainText } from "./plain-text.ts";

describe("plainText", () => {
  test("drops the marks that reorder or hide text", () => {
    expect(plainText("\u202Eevil\u202C \u2067x\u2069 \u200Fy\u061C")).toBe("evil x y");
  });
  test("keeps line breaks, as LF, and tabs", () => {
    expect(plainText("a\r\nb\rc\n\td")).toBe("a\nb\nc\n\td");
  });
  test("drops control characters, which a text column cannot even hold", () => {
    expect(plainText("a\u0000b\u0007c\u0085d")).toBe("abcd");
  });
  test("puts marks in one order, also where a hidden mark stood between them", () => {
    expect(plainText("ب\u0301\u202E\u0651")).toBe("ب\u0651\u0301");
  });
  test("takes what nobody can see for nothing", () => {
    expect(plainText("\u200B\u2060\u00A0\u200D\uFEFF")).toBe("");
  });
  test("keeps the joiners that Arabic and emoji need", () => {
    expect(plainText("می\u200Cخواهم 👩\u200D💻")).toBe("می\u200Cخواهم 👩\u200D💻");
  });
});

test("plainLine folds white space", () => {
  expect(plainLine("  نورة \n\t السالم ")).toBe("نورة السالم");
});

test("plainEmail reads Arabic and Persian digits", () => {
  expect(plainEmail(" \u200Fnoura٠١٢۹@example.com\u200F ")).toBe("noura0129@example.com");
});

test.each([..."\u200B\u200C\u2060\uFEFF\u00AD\u034F\u180E\u00A0\uFFFC\u202A\u061C\uFE0F\u{E0041}"])(
  "plainEmail takes what nobody sees away: %j",
  (unseen) => {
    for (const typed of [`${unseen}noura@example.com`, `noura@${unseen}example.com${unseen}`]) {
      expect(plainEmail(typed)).toBe("noura@example.com");
    }
  },
);

test.each([
  "<noura@example.com>",
  "نورة <noura@example.com>",
  "mailto:noura@example.com",
  "MAILTO:noura@example.com?subject=a",
  "<mailto:noura@example.com>",
  "noura@example.com.",
  "noura@example.com،",
  "noura@example.comـ",
  "noura@example.com؛ ",
  "noura@example.com。",
  "noura＠example．com",
  "ｎｏｕｒａ@example。com",
  "«noura@example.com»",
  "“noura@example.com”",
  "(noura@example.com)",
  "'noura@example.com'",
  "<noura@example.com",
  "mailto:// noura@example.com",
  "البريد: noura@example.com",
])("plainEmail reads the address in %j", (typed) => {
  expect(plainEmail(typed)).toBe("noura@example.com");
});

test("plainEmail leaves a word that may be half of the address", () => {
  expect(plainEmail("noura ali@example.com")).toBe("noura ali@example.com");
});

test("plainEmail leaves the digits of a part in another script", () => {
  expect(plainEmail("محمد٢@example١.com")).toBe("محمد٢@example1.com");
  expect(plainEmail("x١@مثال٢.السعودية")).toBe("x1@مثال٢.السعودية");
});

test("plainCode takes a code in groups and in any digits", () => {
  expect(plainCode(" \u200F١٢٣ ۴۵۶")).toBe("123456");
  expect(plainCode("123-456")).toBe("123456");
});
