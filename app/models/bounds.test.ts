import { expect, test } from "vitest";
import { fieldErrors } from "#app/lib/form-errors.ts";
import { codeSchema, emailSchema, mailedCodeSchema } from "./account/schemas.ts";
import { messageSchema } from "./message-fields.server.ts";

const errorOfMessage = (message: string) => {
  const { error } = messageSchema.safeParse({
    name: "س",
    email: "a@example.com",
    phone: "",
    message,
  });
  return error && fieldErrors(error).message;
};

test("a text that is too long is refused with its length, and hidden marks do not count", () => {
  const tooLong = "الرسالة طويلة: ٥٬٠٠٠ حرف على الأكثر";
  expect(errorOfMessage("س".repeat(5000))).toBeUndefined();
  expect(errorOfMessage("س".repeat(5001))).toBe(tooLong);
  expect(errorOfMessage("س".repeat(300_000))).toBe(tooLong);
  // Three characters that are one once they are composed, and a line break that is two.
  expect(errorOfMessage("u\u0308\u0301".repeat(5000))).toBeUndefined();
  expect(errorOfMessage("س\r\n".repeat(2500))).toBeUndefined();
  expect(errorOfMessage(`س${"\u200F".repeat(10_000)}`)).toBeUndefined();
});

test("marks pass, however many are on a letter", () => {
  expect(errorOfMessage("بِسْمِ ٱللَّهِ ٱلرَّحْمَـٰنِ ٱلرَّحِيمِ")).toBeUndefined();
  expect(errorOfMessage(`a${"\u0301\u0316".repeat(2_000)}`)).toBeUndefined();
});

const errorOfEmail = (email: string) => {
  const { error } = emailSchema.safeParse({ email });
  return error && fieldErrors(error).email;
};

const emailOfLength = (length: number) =>
  `${"n".repeat(64)}@${"d".repeat(63)}.${"d".repeat(length - 133)}.com`;

test("an address that is too long is none", () => {
  const wrong = "البريد الإلكتروني غير صحيح";
  expect(errorOfEmail(emailOfLength(190))).toBeUndefined();
  expect(errorOfEmail(`a.${emailOfLength(190)}`)).toBe(wrong);
});

test("a mail's code has six to ten digits, as Supabase can be set to, and an app's has six", () => {
  const lengths = [5, 6, 8, 10, 11];
  const email = "a@example.com";
  const accepted = lengths.map((length) => {
    const code = "٧".repeat(length);
    return [codeSchema.safeParse({ code }), mailedCodeSchema.safeParse({ email, code })].map(
      ({ success }) => success,
    );
  });
  expect(accepted).toEqual([
    [false, false],
    [true, true],
    [false, true],
    [false, true],
    [false, false],
  ]);
});
