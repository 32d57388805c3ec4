import { timeZone } from "#app/content/owner.ts";

// Calendar, digits and zone are stated: left to the machine, Saudi dates are Hijri in some
// browsers and Gregorian in others, and the server's zone is not the owner's.
const format = new Intl.DateTimeFormat("ar-SA-u-ca-gregory-nu-arab", {
  timeZone,
  year: "numeric",
  month: "long",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
});

/** A moment (ISO 8601) as the inbox shows it, in the owner's time zone. */
export function longDate(iso: string): string {
  return format.format(new Date(iso));
}
