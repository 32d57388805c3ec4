import { arabicNumber } from "#app/lib/arabic-number.ts";
import { counted, type PluralForms } from "#app/lib/arabic-plural.ts";
import type { PromiseLine } from "./inbox.ts";

const belowForms: PluralForms = {
  zero: "",
  one: "واحد تحته",
  two: "اثنان تحته",
  few: "تحته",
  many: "تحته",
  other: "تحته",
};

const lateForms: PluralForms = {
  zero: "",
  one: "رسالة متأخرة",
  two: "رسالتان متأخرتان",
  few: "رسائل متأخرة",
  many: "رسالة متأخرة",
  other: "رسالة متأخرة",
};

const nobody = "لا أحد تحت الخط";

interface Counts {
  late: number;
  old: number;
  /** Whether the owner works now. */
  isOpen: boolean;
  /** The last day of an absence: «السبت». */
  awayUntil: string | undefined;
}

/** The words of «خط الوعد» and of the link to it. */
export function lineWords({ late, old, isOpen, awayUntil }: Counts) {
  const older = old > 0 ? `، و${arabicNumber(old)} من قبل` : "";
  const away = awayUntil && `الآن، وأنت غائب حتى ${awayUntil}`;
  const now = away ?? (isOpen ? "الآن" : "الآن، خارج ساعات عملك");
  return {
    isLate: late > 0,
    text: late > 0 ? now : nobody + older,
    forReaders: late > 0 ? `. تحته ${counted(late, lateForms)}` : "",
    link: (late > 0 ? `خط الوعد: ${counted(late, belowForms)}` : nobody) + older,
  } satisfies Partial<PromiseLine>;
}
