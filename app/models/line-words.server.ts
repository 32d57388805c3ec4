import { arabicNumber } from "#app/lib/arabic-number.ts";
import type { PromiseLine } from "./inbox.ts";

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
  const nobody = away ? `${away}، لا أحد تحته` : "لا أحد تحت الخط";
  const older = old > 0 ? `، و${few(old)} من قبل` : "";
  return {
    isLate: late > 0,
    text: `${late > 0 ? `${now}، تحته ${few(late)}` : nobody}${older}`,
  } satisfies Partial<PromiseLine>;
}

/** «واحد», «اثنان», and then digits. */
const few = (count: number): string => ["", "واحد", "اثنان"][count] ?? arabicNumber(count);
