import { arabicNumber } from "#app/lib/arabic-number.ts";
import { counted, type PluralForms } from "#app/lib/arabic-plural.ts";
import type { PromiseLine } from "./inbox.ts";

const lateForms: PluralForms = {
  zero: "",
  one: "رسالة متأخرة",
  two: "رسالتان متأخرتان",
  few: "رسائل متأخرة",
  many: "رسالة متأخرة",
  other: "رسالة متأخرة",
};

interface Counts {
  late: number;
  old: number;
  /** Whether the owner works now. */
  isOpen: boolean;
  /** The last day of an absence: «السبت». */
  awayUntil: string | undefined;
}

/** What «خط الوعد» says. With commas: beside a digit, a middle dot is read as an Arabic zero. */
export function lineWords({ late, old, isOpen, awayUntil }: Counts) {
  const away = awayUntil && `الآن، وأنت غائب حتى ${awayUntil}`;
  const now = away ?? (isOpen ? "الآن" : "الآن، خارج ساعات عملك");
  const older = old > 0 ? `، و${few(old)} من قبل` : "";
  const nobody = `لا أحد تحت الخط${older}`;
  return {
    isLate: late > 0,
    text: late > 0 ? `${now}، تحته ${few(late)}${older}` : nobody,
    forReaders: late > 0 ? `${now}. تحته ${counted(late, lateForms)}${older}` : nobody,
  } satisfies Partial<PromiseLine>;
}

/** «واحد», «اثنان», and then digits. */
const few = (count: number): string => ["", "واحد", "اثنان"][count] ?? arabicNumber(count);
