import * as fc from "fast-check";
import { text } from "./text.ts";

const fields = [
  "name",
  "email",
  "phone",
  "message",
  "t_extra",
  "password",
  "id",
  "code",
  "recovery",
  "session",
  "current",
  "factor",
  "uri",
  "next",
  "token_hash",
  "type",
  "_method",
  "__proto__",
  "",
];
export const json = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .dictionary(
        fc.constantFrom(
          ...fields,
          "kind",
          "account",
          "address",
          "session_id",
          "spam_signs",
          "code",
          "created_at",
          "refresh_token",
          "factor_type",
          "friendly_name",
          "challenge_id",
          "data",
          "grant_type",
          "auth_code",
        ),
        fc.oneof(text, fc.jsonValue(), fc.constant(null)),
        { maxKeys: 6 },
      )
      .map((value) => JSON.stringify(value)),
  },
  { weight: 1, arbitrary: fc.jsonValue().map((value) => JSON.stringify(value)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "[".repeat(20_000),
      '{"a":'.repeat(5000),
      "{",
      "null",
      '"',
      "[[]]",
      `{"data":${"[".repeat(500)}${"]".repeat(500)}}`,
      '{"email":"a","email":"b"}',
      '{"__proto__":{"x":1}}',
      "1e999",
    ),
  },
);
export const form = fc
  .array(fc.tuple(fc.constantFrom(...fields), text), { maxLength: 5 })
  .map((entries) => new URLSearchParams(entries.map(([k, v]) => [k, v.toWellFormed()])).toString());
