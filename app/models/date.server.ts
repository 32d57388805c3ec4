import { timeZone } from "#app/content/owner.ts";

// Made at the first use: a wrong time zone throws, and the check of owner.ts runs after this import.
let longFormat: Intl.DateTimeFormat | undefined;
let dayFormat: Intl.DateTimeFormat | undefined;
let clockFormat: Intl.DateTimeFormat | undefined;

/**
 * Formats an ISO 8601 time in Arabic, in the owner's time zone. On the server only: ICU versions
 * differ, and hydration would fail in a browser with another one.
 */
export function longDate(iso: string): string {
  longFormat ??= new Intl.DateTimeFormat("ar-SA-u-ca-gregory-nu-arab", {
    timeZone,
    year: "numeric",
    month: "long",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
  });
  return longFormat.format(new Date(iso));
}

/** The day in the owner's time zone for file names: 2026-11-22. */
export function fileDate(moment: Date): string {
  dayFormat ??= new Intl.DateTimeFormat("en-CA-u-ca-gregory-nu-latn", { timeZone });
  return dayFormat.format(moment);
}

/** What clocks in the owner's time zone show at a time, as if it were UTC: a spreadsheet knows no zones. */
export function clockTime(iso: string): Date {
  clockFormat ??= new Intl.DateTimeFormat("sv-SE-u-ca-gregory-nu-latn", {
    timeZone,
    dateStyle: "short",
    timeStyle: "medium",
  });
  return new Date(`${clockFormat.format(new Date(iso))}Z`);
}

const dayForms = {
  timeZone: "UTC",
  month: "long",
  day: "numeric",
} as const;
const monthDay = new Intl.DateTimeFormat("ar-SA-u-ca-gregory-nu-arab", dayForms);
const weekDay = new Intl.DateTimeFormat("ar-SA-u-ca-gregory-nu-arab", {
  ...dayForms,
  weekday: "long",
});

/** A day, given as 2026-11-22, in Arabic: «الأحد، ٢٢ نوفمبر». */
export const dayDate = (day: string): string => weekDay.format(new Date(day));

/** The same without its weekday: «٢٢ نوفمبر». */
export const dayText = (day: string): string => monthDay.format(new Date(day));

const relative = new Intl.RelativeTimeFormat("ar-SA-u-nu-arab");

/** A relative time: «قبل ٣ ساعات». @param now in milliseconds */
export function agoText(at: Date, now: number): string {
  const minutes = Math.max(1, Math.floor((now - at.getTime()) / 60_000));
  if (minutes < 60) {
    return relative.format(-minutes, "minute");
  }
  return minutes < 48 * 60
    ? relative.format(-Math.floor(minutes / 60), "hour")
    : relative.format(-Math.floor(minutes / (24 * 60)), "day");
}
