import { owner } from "#app/content/owner.ts";
import { latest } from "#app/lib/latest.ts";
import { type Absence, isAway, weekDays, workingClock } from "#app/lib/working-time.ts";
import { dataOf } from "./data-of.server.ts";
import { dayDate } from "./date.server.ts";
import type { Supabase } from "./supabase.ts";

type Promised = NonNullable<typeof owner.promise>;

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;

/** The hours of an owner without a promise: the page announces an absence from five o'clock on the day before. */
const everyDay = { days: weekDays, from: "00:00", to: "17:00" };

/** A day with its weekday, as a part of a sentence: «السبت ٥ ديسمبر». */
export const namedDay = (day: string): string => dayDate(day).replace("،", "");

/** The date of a day that is numbered from 1970-01-01. */
const dateOf = (day: number) => new Date(day * dayMs).toISOString().slice(0, 10);

/** What absences mean for visitors. Days are dates such as 2026-12-05; all instants are milliseconds since 1970. */
export function awayWith(
  absences: readonly Absence[],
  promised: Promised | undefined,
  timeZone: string,
) {
  const clock = workingClock({ ...(promised ?? everyDay), absences, timeZone });
  /** The absences that include one of these days. */
  const among = (first: number, last: number) =>
    absences.filter((one) => one.first <= dateOf(last) && dateOf(first) <= one.last);

  /** For an owner without a promise: the first day after an absence, for a message of its days or of the day before. */
  function dayAfter(came: number): number | undefined {
    let day = isAway(absences, dateOf(came)) ? came : came + 1;
    if (!isAway(absences, dateOf(day))) {
      return undefined;
    }
    while (isAway(absences, dateOf(day))) {
      day += 1;
    }
    return day;
  }

  return {
    /** The absence that includes today. */
    runningAt: (now: number): Absence | undefined => among(clock.dayOf(now), clock.dayOf(now))[0],

    /**
     * The last day off, once no working time is left before an absence and until it ends. Absences without a
     * working day between them are one.
     */
    untilAt(now: number): string | undefined {
      const today = clock.dayOf(now);
      const back = clock.dayOf(clock.later(now, 1));
      return back > today ? among(today, back - 1).at(-1)?.last : undefined;
    },

    /** The day of the answer to a message, if an absence moves it. */
    answerDay(arrival: number): string | undefined {
      const came = clock.dayOf(arrival);
      if (!promised) {
        const day = dayAfter(came);
        return day === undefined ? undefined : dateOf(day);
      }
      const due = clock.dayOf(clock.later(arrival, promised.hours * hourMs));
      return among(came, due).length > 0 ? dateOf(due) : undefined;
    },

    today: (now: number): string => dateOf(clock.dayOf(now)),
  };
}

const ownersAway = latest((absences: readonly Absence[]) =>
  awayWith(absences, owner.promise, owner.timeZone),
);

/** «غائب حتى السبت ٥ ديسمبر», with the year if it is another one; for visitors. Undefined if the owner works, or will before an absence. */
export function awayText(absences: readonly Absence[], now: number): string | undefined {
  const { untilAt, today } = ownersAway(absences);
  const until = untilAt(now);
  const isOfThisYear = until?.slice(0, 4) === today(now).slice(0, 4);
  return until && `غائب حتى ${isOfThisYear ? namedDay(until) : wholeDay(until)}`;
}

/**
 * When an absence lets the owner answer: «الأحد ٦ ديسمبر». Undefined if no absence is in the way, or if that
 * day has passed.
 * @param arrival of the message, as ISO 8601
 */
export function answerDayText(
  absences: readonly Absence[],
  arrival: string,
  now: number,
): string | undefined {
  const away = ownersAway(absences);
  const day = away.answerDay(Date.parse(arrival));
  return day !== undefined && day >= away.today(now) ? namedDay(day) : undefined;
}

/** The current absence, for the board: its first day, and its end in words. */
export function runningAbsence(absences: readonly Absence[], now: number) {
  const away = ownersAway(absences);
  const running = away.runningAt(now);
  return running && { first: running.first, until: namedDay(away.untilAt(now) ?? running.last) };
}

/** Those that have not ended, with their days in words: a device may show another calendar. */
export function absencesToCome(absences: readonly Absence[], now: number) {
  const today = ownersAway(absences).today(now);
  return absences
    .filter(({ last }) => last >= today)
    .map((one) => ({ first: one.first, days: daysText(one), isRunning: one.first <= today }));
}

export type AbsenceToCome = ReturnType<typeof absencesToCome>[number];

/** «من الثلاثاء ١ ديسمبر ٢٠٢٦ إلى السبت ٥ ديسمبر ٢٠٢٦», or one day. */
export const daysText = ({ first, last }: Absence): string =>
  first === last ? wholeDay(first) : `من ${wholeDay(first)} إلى ${wholeDay(last)}`;

const yearFormat = new Intl.DateTimeFormat("ar-SA-u-ca-gregory-nu-arab", {
  timeZone: "UTC",
  year: "numeric",
});
const wholeDay = (day: string) => `${namedDay(day)} ${yearFormat.format(new Date(day))}`;

export type AbsenceRefusal = "overlap" | "full";

/** Adds an absence, for the owner. Returns why not. @throws {Response} */
export async function addAbsence(
  supabase: Supabase,
  { first, last }: Absence,
): Promise<AbsenceRefusal | null> {
  const result = await supabase.rpc("add_absence", { first_day: first, last_day: last });
  return dataOf(result, "The absence was not added") as AbsenceRefusal | null;
}

/** Ends an absence, for the owner. Returns whether it was there. @throws {Response} */
export async function endAbsence(
  supabase: Supabase,
  first: string,
  today: string,
): Promise<boolean> {
  const result = await supabase.rpc("end_absence", { first_day: first, today });
  return dataOf(result, "The absence was not ended");
}
