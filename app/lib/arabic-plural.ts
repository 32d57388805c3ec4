import { arabicNumber } from "./arabic-number.ts";

const rules = new Intl.PluralRules("ar");

/** A noun's plural forms (CLDR). `zero`, `one` and `two` are written without the number. */
export type PluralForms = Record<Intl.LDMLPluralRule, string>;

export function counted(count: number, forms: PluralForms): string {
  const rule = rules.select(count);
  const isSaidAlone = rule === "zero" || rule === "one" || rule === "two";
  return isSaidAlone ? forms[rule] : `${arabicNumber(count)} ${forms[rule]}`;
}

const messageForms: PluralForms = {
  zero: "لا رسائل",
  one: "رسالة واحدة",
  two: "رسالتان",
  few: "رسائل",
  many: "رسالة",
  other: "رسالة",
};

export const countedMessages = (count: number): string => counted(count, messageForms);

/** After a preposition, where the dual has another ending. */
export const countedMessagesAfter = (count: number): string =>
  counted(count, { ...messageForms, two: "رسالتين" });
