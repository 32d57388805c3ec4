import { timeZone } from "#app/content/owner.ts";

// The defaults differ from machine to machine, and hydration would fail where a browser differs.
const format = new Intl.DateTimeFormat("ar-SA-u-ca-gregory-nu-arab", {
  timeZone,
  year: "numeric",
  month: "long",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
});

/** Formats a moment (ISO 8601) in the owner's time zone. */
export function longDate(iso: string): string {
  return format.format(new Date(iso));
}

const dayFormat = new Intl.DateTimeFormat("en-CA-u-ca-gregory-nu-latn", { timeZone });

/** The day of a moment in the owner's time zone, as names of files have it: 2026-11-22. */
export const fileDate = (moment: Date): string => dayFormat.format(moment);
