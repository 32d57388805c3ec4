import { Icon } from "#app/components/icons.tsx";
import { counted, type PluralForms } from "#app/lib/arabic-plural.ts";
import type { Today } from "#app/models/inbox.ts";
import { icons } from "./icons.ts";
import { OpenLink } from "./open-link.tsx";
import { Star } from "./star.tsx";

const answerForms: PluralForms = {
  zero: "لا ردود",
  one: "رد واحد",
  two: "ردّان",
  few: "ردود",
  many: "ردًا",
  other: "رد",
};

const lateForms: PluralForms = {
  zero: "",
  one: "متأخر واحد",
  two: "متأخران",
  few: "متأخرة",
  many: "متأخرًا",
  other: "متأخر",
};

interface Props {
  today: Today;
  /** Whether the address opens it. */
  isOpen: boolean;
  /** Whether the pane shows it, beside the list. */
  isShown: boolean;
}

const lineClass =
  "flex min-h-12 items-center gap-3 border-s-3 border-t border-s-transparent border-t-line py-1 ps-[0.5625rem] pe-3 text-md/normal hover:bg-tint/45 focus-visible:-outline-offset-3 lg:data-current:border-s-brand lg:data-current:bg-tint print:hidden forced-colors:not-data-current:border-s-[Canvas]";

/** How many answers the owner owes today, above the messages. Opens «وعدك اليوم». */
export function PromiseLine({ today: { urgent, late, dueToday }, isOpen, isShown }: Props) {
  return (
    <OpenLink
      id="today"
      aria-current={isOpen || undefined}
      data-current={isShown || undefined}
      className={lineClass}
    >
      {urgent && <Star due={urgent} />}
      <span className="flex-1">
        <b>وعدك اليوم: {counted(late + dueToday, answerForms)}</b>
        {late > 0 && (
          <>
            {" · "}
            <b className="text-danger">{counted(late, lateForms)}</b>
          </>
        )}
      </span>
      <Icon path={icons.end} />
    </OpenLink>
  );
}
