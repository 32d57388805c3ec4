import { owner } from "#app/content/owner.ts";
import { latest } from "#app/lib/latest.ts";
import { type Absence, workingClock } from "#app/lib/working-time.ts";
import { awayWith } from "./absences.server.ts";
import { dayText } from "./date.server.ts";
import type { Cursor, Due, InboxMessage, PromiseLine } from "./inbox.ts";
import { lineWords } from "./line-words.server.ts";

const points = 8;
const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;

type Promised = NonNullable<typeof owner.promise>;

const arrivalOf = ({ created_at: moment }: Pick<InboxMessage, "created_at">) => Date.parse(moment);

/** The result of private.promise_line about the messages that wait. */
interface Waiting {
  late: number;
  old: number;
  below: Cursor | null;
  above: Cursor | null;
}

// After this many working days a late message is an old debt: it has its own count, and no warning colour.
const oldDays = 7;

/**
 * Says when messages are due, in Arabic. All instants are milliseconds since 1970.
 * @param promised the hours of working time in which the owner answers
 */
export function promiseWith(
  promised: Promised,
  timeZone: string,
  absences: readonly Absence[] = [],
) {
  const clock = workingClock({ ...promised, absences, timeZone });
  const away = awayWith(absences, promised, timeZone);
  const wholeMs = promised.hours * hourMs;
  const [from, to] = [promised.from, promised.to].map((time) => Date.parse(`1970-01-01T${time}Z`));
  const oldMs = wholeMs + oldDays * (Number(to) - Number(from));
  const format = (options: Intl.DateTimeFormatOptions, locale = "ar-SA-u-ca-gregory-nu-arab") =>
    new Intl.DateTimeFormat(locale, { timeZone, ...options });
  const formats = {
    hour: format({ hour: "numeric" }),
    minute: format({ hour: "numeric", minute: "2-digit" }),
    weekday: format({ weekday: "long" }),
    date: format({ month: "long", day: "numeric" }),
    day: format({ weekday: "long", month: "long", day: "numeric" }),
  };
  const minuteOf = format({ minute: "numeric" }, "en");

  /** «٣:١٠ م», a full hour as «٣ م». */
  const timeText = (at: number) =>
    (minuteOf.format(at) === "0" ? formats.hour : formats.minute).format(at);

  /** «اليوم», «أمس», «الأحد»; undefined for a day that is further than six days away. */
  function nearDay(at: number, days: number): string | undefined {
    const near = { "-1": "أمس", "0": "اليوم", "1": "غدًا" }[days];
    return near ?? (Math.abs(days) <= 6 ? formats.weekday.format(at) : undefined);
  }

  /** The last day of the owner's current absence: «السبت», or a date if it is more than six days ahead. */
  function awayUntil(now: number): string | undefined {
    const until = away.runningAt(now) && away.untilAt(now);
    if (until === undefined) {
      return undefined;
    }
    const days = Date.parse(until) / dayMs - clock.dayOf(now);
    return days <= 6 ? formats.weekday.format(now + days * dayMs) : dayText(until);
  }

  /** When a message is due: «غدًا قبل ٩:١٥ ص», or «متأخرة منذ أمس». */
  function say(due: number, now: number): string {
    const days = clock.dayOf(due) - clock.dayOf(now);
    const day = nearDay(due, days);
    if (day === undefined) {
      const date = formats.date.format(due);
      return due > now ? date : `متأخرة منذ ${date}`;
    }
    if (due > now) {
      return `${day} قبل ${timeText(due)}`;
    }
    return `متأخرة منذ ${days === 0 ? timeText(due) : day}`;
  }

  /**
   * A message from before `late` is late now, and one from before `old` is an old debt. Both are a millisecond
   * later than the clock says, because the database counts microseconds.
   */
  function boundsAt(now: number): { late: string; old: string } {
    const bound = (amount: number) => new Date(clock.earlier(now, amount) + 1).toISOString();
    return { late: bound(wholeMs), old: bound(oldMs) };
  }

  return {
    /** A waiting message's star and its words. */
    dueOf(message: Pick<InboxMessage, "created_at">, now: number): Due {
      const arrival = arrivalOf(message);
      const steps = Array.from({ length: points }, (_, index) =>
        clock.later(arrival, (wholeMs * (index + 1)) / points),
      );
      const left = steps.filter((step) => step > now);
      const [next] = left;
      return {
        lit: left.length,
        text: say(steps.at(-1) ?? arrival, now),
        ...(next !== undefined && { next: new Date(next).toISOString() }),
        ...(clock.later(arrival, oldMs) <= now && { isOld: true }),
      };
    },

    /** When a message is due, for a mail that is read on any day: «الأربعاء، ٢٥ نوفمبر، ٩:١٥ ص». */
    deadlineOf(message: Pick<InboxMessage, "created_at">): string {
      const due = clock.later(arrivalOf(message), wholeMs);
      return `${formats.day.format(due)}، ${timeText(due)}`;
    },

    boundsAt,

    /** The place of «خط الوعد» in the list; undefined while nobody waits. */
    lineOf({ late, old, below, above }: Waiting, now: number): PromiseLine | undefined {
      return below || above
        ? {
            ...lineWords({ late, old, isOpen: clock.isOpen(now), awayUntil: awayUntil(now) }),
            ...(below && { below }),
            ...(above && { above }),
          }
        : undefined;
    },
  };
}

/** The owner's promise, if there is one. It skips the absences. Called after the start has checked it. */
export const ownersPromise = latest(
  (absences: readonly Absence[]) =>
    owner.promise && promiseWith(owner.promise, owner.timeZone, absences),
);
