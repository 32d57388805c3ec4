import { timeZone } from "#app/content/owner.ts";

// Without these, the calendar, digits and zone depend on the machine: old ICU has Hijri for ar-SA.
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
