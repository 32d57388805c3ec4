import { owner } from "#app/content/owner.ts";
import { workingClock } from "#app/lib/working-time.ts";
import type { BoardMessage, Due, InboxMessage, Today } from "./inbox.ts";

const points = 8;
const hourMs = 60 * 60 * 1000;

type Promised = NonNullable<typeof owner.promise>;

const arrivalOf = ({ created_at: moment }: Pick<InboxMessage, "created_at">) => Date.parse(moment);

/** What the database finds of messages that wait (`promised` of public.read_inbox). */
interface Waiting {
  late: number;
  dueToday: number;
  lateRows: readonly BoardMessage[];
  nextRows: readonly BoardMessage[];
}

/**
 * Reckons when messages are due, and says it in Arabic. All instants are milliseconds since 1970.
 * @param promised the hours of working time in which the owner answers
 */
export function promiseWith(promised: Promised, timeZone: string) {
  const clock = workingClock({ ...promised, timeZone });
  const wholeMs = promised.hours * hourMs;
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
  function dayText(at: number, days: number): string | undefined {
    const near = { "-1": "أمس", "0": "اليوم", "1": "غدًا" }[days];
    return near ?? (Math.abs(days) <= 6 ? formats.weekday.format(at) : undefined);
  }

  /** When a message is due, for its row and for «وعدك اليوم». */
  function say(due: number, now: number): { text: string; when: string } {
    const days = clock.dayOf(due) - clock.dayOf(now);
    const day = dayText(due, days);
    const time = timeText(due);
    if (day === undefined) {
      const date = formats.date.format(due);
      return { text: due > now ? date : `متأخرة منذ ${date}`, when: date };
    }
    if (due > now) {
      return {
        text: `${day} قبل ${time}`,
        when: days === 0 ? `قبل ${time}` : `${day} قبل ${time}`,
      };
    }
    return days === 0
      ? { text: `متأخرة منذ ${time}`, when: time }
      : { text: `متأخرة منذ ${day}`, when: `${day} ${time}` };
  }

  const withWhen = (messages: readonly BoardMessage[], now: number) =>
    messages.map((message) => {
      const due = clock.later(arrivalOf(message), wholeMs);
      return { ...message, when: say(due, now).when };
    });

  return {
    /** A waiting message's star and its words. */
    dueOf(message: Pick<InboxMessage, "created_at">, now: number): Due {
      const arrival = arrivalOf(message);
      const steps = Array.from({ length: points }, (_, index) =>
        clock.later(arrival, (wholeMs * (index + 1)) / points),
      );
      const left = steps.filter((step) => step > now);
      const [next] = left;
      const { text } = say(steps.at(-1) ?? arrival, now);
      return {
        lit: left.length,
        text,
        ...(next !== undefined && { next: new Date(next).toISOString() }),
      };
    },

    /** When a message is due, for a mail that is read on any day: «الأربعاء، ٢٥ نوفمبر، ٩:١٥ ص». */
    deadlineOf(message: Pick<InboxMessage, "created_at">): string {
      const due = clock.later(arrivalOf(message), wholeMs);
      return `${formats.day.format(due)}، ${timeText(due)}`;
    },

    /**
     * Before which moment a message came that is late now, or that is due today at the latest. As the
     * database has microseconds, a message of the last millisecond is one of them.
     */
    boundsAt(now: number): { late: string; today: string } {
      const midnight = clock.beginOf(clock.dayOf(now) + 1);
      const bound = (end: number) => new Date(clock.earlier(end, wholeMs) + 1).toISOString();
      return { late: bound(now), today: bound(midnight) };
    },

    todayOf({ late, dueToday, lateRows, nextRows }: Waiting, now: number): Today {
      const urgent = (lateRows[0] ?? nextRows[0])?.due;
      return {
        late,
        dueToday,
        ...(urgent && { urgent }),
        now: timeText(now),
        isOpen: clock.isOpen(now),
        lateRows: withWhen(lateRows, now),
        nextRows: withWhen(nextRows, now),
        answerTime: owner.answerTime ?? "",
        perPoint: promised.hours === points ? "hour" : "eighth",
      };
    },
  };
}

let made: ReturnType<typeof promiseWith> | undefined;

/** The owner's promise, if there is one. Made at the first call, after the start has checked it. */
export const ownersPromise = () =>
  owner.promise && (made ??= promiseWith(owner.promise, owner.timeZone));
