import { Link } from "react-router";
import { focusOnLoad } from "#app/components/form-parts.tsx";
import { counted, type PluralForms } from "#app/lib/arabic-plural.ts";
import type { Today, TodayMessage } from "#app/models/inbox.ts";
import { boardLink } from "./board-url.ts";
import { linkClass, titleClass } from "./looks.ts";
import { OpenLink } from "./open-link.tsx";
import { EmptyPlace } from "./places.tsx";
import { BestReply } from "./replies.tsx";
import { Star } from "./star.tsx";
import type { Open } from "./use-open.ts";

interface Props {
  today: Today;
  /** Stands in the subject of mails. */
  ownerName: string;
  open: Open;
}

const earlierForms: PluralForms = {
  zero: "",
  one: "واحدة متأخرة قبلها",
  two: "اثنتان متأخرتان قبلها",
  few: "متأخرة قبلها",
  many: "متأخرة قبلها",
  other: "متأخرة قبلها",
};

const perPointTexts = {
  hour: { passed: "كلما مضت ساعة من ساعات عملك", last: "آخر ساعة" },
  eighth: { passed: "كلما مضى ثُمن المهلة", last: "آخر ثُمن" },
};

/** «وعدك اليوم»: whom the owner owes an answer, in the order in which they are due. */
export function TodayPane({ today, ownerName, open }: Props) {
  const { late, lateRows, nextRows, now, isOpen, answerTime, perPoint } = today;
  const { passed, last } = perPointTexts[perPoint];
  const earlier = late - lateRows.length;
  const rows = [...lateRows.toReversed(), ...nextRows].map((message, index) => (
    <DayRow key={message.id} {...{ message, ownerName, open, index }} />
  ));
  return (
    <section className="lg:pt-7">
      <h2
        id="open"
        tabIndex={-1}
        {...(open.state === "today" && focusOnLoad)}
        className={titleClass}
      >
        وعدك اليوم
      </h2>
      <p className="max-w-[34em] text-muted">
        وعدتَ زوارك بالرد «{answerTime}». في النجمة ثمانية رؤوس، وينطفئ رأس {passed}.
      </p>
      {rows.length === 0 && <EmptyPlace text="لا أحد ينتظر ردك" />}
      {rows.length > 0 && (
        <ol className="my-6">
          {earlier > 0 && (
            <li className="text-sm">
              <Link to={boardLink("", { box: "waiting" })} className={earlierClass}>
                و{counted(earlier, earlierForms)}
              </Link>
            </li>
          )}
          {rows.slice(0, lateRows.length)}
          <li className={nowClass}>
            <span className="row-start-1 text-md font-bold max-lg:col-start-2 lg:col-start-1 lg:text-end">
              الآن {now}
            </span>
            <i
              aria-hidden="true"
              className="col-start-1 row-start-1 justify-self-center rounded-full border-4 lg:col-start-2"
            />
            <span className="col-start-3 row-start-1 flex items-center max-[18rem]:col-start-2 max-[18rem]:row-start-2 gap-3 text-sm after:grow after:border-t after:border-dashed">
              {!isOpen && "خارج ساعات عملك"}
            </span>
          </li>
          {rows.slice(lateRows.length)}
        </ol>
      )}
      {rows.length > 0 && (
        <ul className="flex flex-wrap gap-x-6 gap-y-2 border-t border-line py-4 text-sm text-muted print:hidden">
          <Sign lit={8}>وصلت الآن</Sign>
          <Sign lit={4}>مضى نصف المهلة</Sign>
          <Sign lit={1}>{last}</Sign>
          <Sign lit={0}>متأخرة</Sign>
        </ul>
      )}
    </section>
  );
}

const earlierClass = `${linkClass} inline-flex min-h-11 items-center max-lg:ms-13 lg:ms-45`;

// From each star to the next one.
const lineClass =
  "relative not-last:after:absolute not-last:after:start-[calc(1.25rem-1px)] not-last:after:w-0.5 not-last:after:bg-line not-last:after:content-[''] lg:not-last:after:start-[calc(9.5rem-1px)]";

const nowClass = `${lineClass} grid min-h-8 grid-cols-[2.5rem_auto_minmax(0,1fr)] items-center gap-x-3 text-brand not-last:after:top-[calc(50%+0.5rem)] not-last:after:-bottom-2 lg:grid-cols-[7.25rem_2.5rem_minmax(0,1fr)] lg:gap-x-4`;

const dayClass = `${lineClass} grid min-h-18 grid-cols-[2.5rem_minmax(0,1fr)_auto] items-center gap-x-3 py-2 max-lg:grid-rows-[auto_1fr] not-last:after:top-[calc(50%+1.5rem)] not-last:after:bottom-[calc(1.5rem-50%)] lg:grid-cols-[7.25rem_2.5rem_minmax(0,1fr)_auto] lg:gap-x-4`;

// The stars come up one after the other. The policy allows no style attributes.
const delays = [
  "",
  "[animation-delay:70ms]",
  "[animation-delay:140ms]",
  "[animation-delay:210ms]",
  "[animation-delay:280ms]",
  "[animation-delay:350ms]",
  "[animation-delay:420ms]",
  "[animation-delay:490ms]",
  "[animation-delay:560ms]",
];

interface RowProps extends Omit<Props, "today"> {
  message: TodayMessage;
  index: number;
}

function DayRow({ message, ownerName, open, index }: RowProps) {
  const { id, name, message: text, greeting, due, when } = message;
  const isLate = due?.lit === 0;
  const [line] = text.slice(greeting).trimStart().split("\n", 1);
  return (
    <li className={dayClass}>
      <span
        className={`max-lg:col-start-2 max-lg:row-start-1 max-lg:text-sm/[1.375rem] lg:text-end lg:text-md ${isLate ? "font-bold text-danger" : "text-muted"}`}
      >
        {when}
      </span>
      {due && (
        <Star
          due={due}
          className={`star-lg animate-[rise_0.5s_cubic-bezier(0.2,0.7,0.2,1)_backwards] max-lg:row-span-2 max-lg:row-start-1 ${delays[index]}`}
        />
      )}
      <div className="min-w-0 max-lg:col-start-2 max-lg:row-start-2">
        <p className="flex gap-1 font-bold">
          <OpenLink id={id} className="truncate hover:text-brand">
            <bdi>{name}</bdi>
          </OpenLink>
          {isLate && <span className="text-danger">·&nbsp;متأخرة</span>}
        </p>
        <p className="max-h-6 overflow-hidden text-right text-md/6 wrap-anywhere text-muted lines">
          {line}
        </p>
      </div>
      <div className="max-lg:col-start-3 max-lg:row-span-2 max-lg:row-start-1 max-[18rem]:col-start-2 max-[18rem]:row-span-1 max-[18rem]:row-start-3 max-[18rem]:*:whitespace-normal print:hidden">
        <BestReply
          {...{ message, ownerName }}
          isFilled={isLate && index === 0}
          onReply={() => open.open(id, { isOffered: true })}
        />
      </div>
    </li>
  );
}

const Sign = ({ lit, children }: { lit: number; children: string }) => (
  <li className="flex items-center gap-2">
    <Star due={{ lit }} />
    {children}
  </li>
);
