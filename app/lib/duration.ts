import { counted, type PluralForms } from "./arabic-plural.ts";

const minute = "دقيقة";
const minutes: PluralForms = {
  zero: minute,
  one: minute,
  two: "دقيقتين",
  few: "دقائق",
  many: minute,
  other: minute,
};
const hour = "ساعة";
const hours: PluralForms = {
  zero: hour,
  one: hour,
  two: "ساعتين",
  few: "ساعات",
  many: hour,
  other: hour,
};

/** A waiting time in Arabic: in whole minutes, above two hours in whole hours, rounded up. */
export function waitText(seconds: number): string {
  return seconds > 2 * 60 * 60
    ? counted(Math.ceil(seconds / 3600), hours)
    : counted(Math.max(1, Math.ceil(seconds / 60)), minutes);
}
