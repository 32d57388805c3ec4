import { expect, test } from "vitest";
import * as z from "zod/mini";
import { fieldErrors } from "#app/lib/form-errors.ts";
import {
  codeSchema,
  credentialsSchemas,
  emailSchema,
  factorNameSchema,
  mailedCodeSchema,
  recoverySchema,
} from "./account.ts";
import { messageSchema } from "./message.ts";
import { phoneSchema } from "./phone.server.ts";

/** A letter under marks whose classes alternate: normalising sorts them, in quadratic time. */
const marks = (count: number) => `a${"\u0301\u0316".repeat(count / 2)}`;

const schemas = {
  message: messageSchema,
  number: z.object({ phone: phoneSchema("966500000000") }),
  "sign-in": credentialsSchemas["sign-in"],
  "sign-up": credentialsSchemas["sign-up"],
  email: emailSchema,
  "mailed code": mailedCodeSchema,
  code: codeSchema,
  "recovery code": recoverySchema,
  "name of a factor": factorNameSchema,
};
const hostile = {
  "170,000 marks on one letter": marks(170_000),
  "runs of marks": marks(30).repeat(5000),
  "the end of an address, over and over": "a@a.".repeat(100_000),
  "spaces alone": " ".repeat(500_000),
};

test.each(
  Object.entries(schemas).flatMap(([name, schema]) =>
    Object.entries(hostile).map(([what, text]) => ({ name, schema, what, text })),
  ),
)("$what for $name: refused, at no cost", ({ schema, text }) => {
  const fields = Object.fromEntries(Object.keys(schema.shape).map((field) => [field, text]));
  // CPU time, so that a busy machine does not count. Unbounded, each of these takes seconds.
  const before = process.cpuUsage();
  const result = schema.safeParse(fields);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(300);
  expect(result.success).toBe(false);
});

const errorOfMessage = (message: string) => {
  const { error } = messageSchema.safeParse({ name: "س", email: "a@example.com", message });
  return error && fieldErrors(error).message;
};

test("what is too long is told, and what is hidden in it costs nobody a word", () => {
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
  expect(errorOfMessage(marks(4_000))).toBeUndefined();
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
