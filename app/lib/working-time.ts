/** As Date numbers them. */
export const weekDays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] as const;

/** Days off, such as 2026-12-02, both included. */
export interface Absence {
  first: string;
  last: string;
}

/** When somebody works. */
export interface WorkingTime {
  days: readonly (typeof weekDays)[number][];
  /** Hours and minutes of `timeZone`, such as 09:00. */
  from: string;
  to: string;
  absences: readonly Absence[];
  timeZone: string;
}

/** Milliseconds since 1970, as all times here. */
type Instant = number;
interface Hours {
  opens: Instant;
  closes: Instant;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** Whether a day is one of the days off. */
export const isAway = (absences: readonly Absence[], day: string): boolean =>
  absences.some(({ first, last }) => first <= day && day <= last);

/**
 * Counts the time that passes in somebody's working hours: nights, other days and absences do
 * not count. Days are numbered from 1970-01-01, which is 0, by the calendar of the time zone.
 */
export function workingClock({ days, from, to, absences, timeZone }: WorkingTime) {
  const format = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" });
  const known = new Map<number, Hours | undefined>();

  /** How far clocks of the zone are ahead of UTC. */
  function offsetAt(instant: Instant): number {
    const [, sign, hours, minutes] = /GMT([+-])(\d+):(\d+)/.exec(format.format(instant)) ?? [];
    return Number(`${sign ?? ""}1`) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * minuteMs;
  }

  /**
   * When clocks show this time of a day: the first time, if they are set back to it; with the time
   * left out, if they are set forward over it.
   */
  function instantOf(day: number, time: string): Instant {
    const utc = day * dayMs + Date.parse(`1970-01-01T${time}Z`);
    const [before, after] = [offsetAt(utc - dayMs), offsetAt(utc + dayMs)];
    const isAfter = offsetAt(utc - before) !== before && offsetAt(utc - after) === after;
    return utc - (isAfter ? after : before);
  }

  function hoursOf(day: number): Hours | undefined {
    if (!known.has(day)) {
      const date = new Date(day * dayMs);
      const isOff =
        !days.some((name) => name === weekDays[date.getUTCDay()]) ||
        isAway(absences, date.toISOString().slice(0, 10));
      known.set(
        day,
        isOff ? undefined : { opens: instantOf(day, from), closes: instantOf(day, to) },
      );
    }
    return known.get(day);
  }

  const dayOf = (instant: Instant) => Math.floor((instant + offsetAt(instant)) / dayMs);

  return {
    dayOf,

    isOpen(at: Instant): boolean {
      const { opens, closes } = hoursOf(dayOf(at)) ?? { opens: at, closes: at };
      return opens <= at && at < closes;
    },

    /** The first instant by which so much has passed since `start`. @param amount more than 0 */
    later(start: Instant, amount: number): Instant {
      let left = amount;
      // In no time zone is it an earlier day.
      for (let day = Math.floor(start / dayMs) - 1; ; day += 1) {
        const { opens, closes } = hoursOf(day) ?? { opens: start, closes: start };
        const open = Math.max(opens, start);
        const passed = Math.max(0, closes - open);
        if (passed >= left) {
          return open + left;
        }
        left -= passed;
      }
    },

    /** The last instant since which so much has passed at `end`. @param amount more than 0 */
    earlier(end: Instant, amount: number): Instant {
      let left = amount;
      for (let day = Math.floor(end / dayMs) + 1; ; day -= 1) {
        const { opens, closes } = hoursOf(day) ?? { opens: end, closes: end };
        const close = Math.min(closes, end);
        const passed = Math.max(0, close - opens);
        if (passed >= left) {
          return close - left;
        }
        left -= passed;
      }
    },
  };
}
