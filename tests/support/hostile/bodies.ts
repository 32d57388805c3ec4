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
export const form = fc
  .array(fc.tuple(fc.constantFrom(...fields), text), { maxLength: 5 })
  .map((entries) => new URLSearchParams(entries.map(([k, v]) => [k, v.toWellFormed()])).toString());
