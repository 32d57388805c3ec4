import { counted, type PluralForms } from "#app/lib/arabic-plural.ts";

const newForms: PluralForms = {
  zero: "لا رسائل جديدة",
  one: "رسالة جديدة",
  two: "رسالتان جديدتان",
  few: "رسائل جديدة",
  many: "رسالة جديدة",
  other: "رسالة جديدة",
};

/** «٣ رسائل جديدة» */
export const newMessagesText = (count: number): string => counted(count, newForms);
