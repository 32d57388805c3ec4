import { memo, type MouseEvent, useId } from "react";
import { Icon } from "#app/components/icons.tsx";
import type { BoardMessage, Due } from "#app/models/inbox.ts";
import { dueClass } from "./class-names.ts";
import { icons } from "./icons.ts";
import { marked } from "./marked.tsx";
import { isWaiting } from "./message-texts.ts";
import { RowSign } from "./star.tsx";

interface Props {
  message: BoardMessage;
  /** The query of its link, without the message. */
  query: string;
  isOpen: boolean;
  isSelected: boolean;
  /** Whether it arrived while the board was open. */
  hasArrived: boolean;
  /** Whether it is next to the line of the promise, where the words of the deadline are shown. */
  isAtLine: boolean;
  onOpen: (event: MouseEvent, id: string) => void;
  /** Selects it, or ends that. Undefined for an inbox that is not the reader's. */
  onSelect: ((id: string) => void) | undefined;
}

const rowClass =
  "row group/row relative grid grid-cols-[1.5rem_minmax(0,1fr)_auto] gap-x-3 border-s-3 border-transparent py-2 ps-[0.5625rem] pe-3 has-checked:bg-tint data-current:border-brand data-current:bg-tint print:break-inside-avoid";

// The link of the name covers the row.
const nameClass =
  "after:absolute after:inset-0 after:z-1 focus-visible:outline-0 focus-visible:after:outline-3 focus-visible:after:-outline-offset-3 focus-visible:after:outline-brand";

/** A message in the list. It can only be read, selected and opened here. */
export const Row = memo(function Row(props: Props) {
  const { message, query, isOpen, isSelected, hasArrived, isAtLine, onOpen, onSelect } = props;
  const { id, name, email, created_at: createdAt, date, note, due, states, found } = message;
  const [nameId, dueId] = [useId(), useId()];
  const waits = isWaiting(message);
  const words = due && (isAtLine ? <ShownDue due={due} /> : dueText(due));
  const dueSpan = isAtLine ? "" : "sr-only";
  return (
    <article
      id={`m-${id}`}
      aria-labelledby={nameId}
      data-current={isOpen ? "" : undefined}
      data-waits={waits ? "" : undefined}
      className={hasArrived ? `${rowClass} animate-[arrive_2s]` : rowClass}
    >
      {onSelect && (
        <label className="pick">
          <input
            id={`pick-${id}`}
            type="checkbox"
            form="sort"
            name="ids"
            value={id}
            aria-label={`تحديد رسالة ${name}`}
            autoComplete="off"
            checked={isSelected}
            onChange={() => onSelect(id)}
          />
        </label>
      )}
      <RowSign message={message} />
      <h2
        id={nameId}
        dir="auto"
        className="col-start-2 truncate text-right text-base/6 group-data-waits/row:font-bold print:whitespace-normal"
      >
        <a
          href={`?${query}open=${id}`}
          onClick={(event) => onOpen(event, id)}
          aria-current={isOpen || undefined}
          aria-describedby={due || states ? dueId : undefined}
          className={nameClass}
        >
          {marked(name, found?.marks.name)}
        </a>
      </h2>
      {isOpen && (
        <a
          href="#open"
          className="absolute end-3 bottom-1 z-3 hidden rounded-xl bg-brand px-3 text-sm text-on-brand not-focus:[clip-path:inset(50%)] lg:block print:hidden"
        >
          إلى الرسالة المفتوحة
        </a>
      )}
      <p
        className={`col-start-3 flex items-center gap-1.5 text-sm/6 whitespace-nowrap max-[18rem]:col-start-2 max-[18rem]:whitespace-normal ${due ? dueClass(due) : waits ? "text-saffron-text" : "text-muted"}`}
      >
        {note && (
          <span className="text-saffron-text">
            <Icon path={icons.note} className="size-[1.125rem]" />
            <span className="sr-only">{due || states ? "لها ملاحظة، " : "لها ملاحظة"}</span>
          </span>
        )}
        {due && !states && (
          <span id={dueId} className={dueSpan}>
            {words}
          </span>
        )}
        {states && (
          <span id={dueId}>
            {due && <span className={dueSpan}>{words}</span>}
            {due && <span> · </span>}
            <span>{states}</span>
          </span>
        )}
      </p>
      <p className="col-span-2 col-start-2 flex justify-between gap-x-3 text-sm/[1.375rem] text-muted max-[18rem]:flex-wrap">
        <a
          dir="ltr"
          tabIndex={-1}
          href={`mailto:${encodeURIComponent(email).replace("%40", "@")}`}
          className="pointer-events-none truncate text-right print:wrap-anywhere print:whitespace-normal"
        >
          {marked(email, found?.marks.email)}
        </a>
        <time dateTime={createdAt} className="whitespace-nowrap max-[18rem]:whitespace-normal">
          {date}
        </time>
      </p>
      <RowText message={message} />
      {isSelected && (
        <a href="#sort" className="relative z-3 col-span-full hidden text-sm underline low:block">
          إلى إجراءات المحددة
        </a>
      )}
    </article>
  );
});

/** Screen readers say the whole sentence. */
const dueText = ({ lit, text }: Due) => (lit > 0 ? `الرد ${text}` : text);

const ShownDue = ({ due: { lit, text } }: { due: Due }) => (
  <>
    {lit > 0 && <span className="sr-only">الرد </span>}
    <span>{text}</span>
  </>
);

const textClass =
  "col-span-2 col-start-2 overflow-hidden text-md/6 wrap-anywhere whitespace-pre-line text-right lines max-h-6 group-data-waits/row:max-h-12 text-muted group-data-waits/row:text-ink print:max-h-none!";

/** The whole text, cut at the end of a line. Only screen readers and prints have its greeting. */
function RowText({ message }: { message: BoardMessage }) {
  const { message: text, greeting, found, number } = message;
  const { excerpt, marks } = found ?? {};
  const shown = excerpt ?? (marks?.phone && number && { text: number, marks: [0, number.length] });
  const rest = text.slice(greeting).replaceAll(/\n\s*\n/g, "\n");
  const whole =
    greeting > 0 ? (
      <>
        <span className="sr-only print:not-sr-only print:whitespace-pre-line!">
          {text.slice(0, greeting)}
        </span>
        <span>{rest}</span>
      </>
    ) : (
      rest
    );
  return (
    <p className={textClass}>
      {shown ? (
        <>
          <span className="print:hidden">
            {excerpt?.isNote && <span>في ملاحظتك: </span>}
            {marked(shown.text, shown.marks)}
          </span>
          <span className="hidden print:inline">{whole}</span>
        </>
      ) : (
        whole
      )}
    </p>
  );
}
