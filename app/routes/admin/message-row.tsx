import { memo } from "react";
import type { Scope } from "#app/models/inbox-forms.server.ts";
import { Marked } from "./marked.tsx";
import { type SheetProps, MessageSheet } from "./message-sheet.tsx";
import { isWaiting, stateOf } from "./message-texts.ts";
import { SelectBox } from "./sort-bar.tsx";

interface Props extends SheetProps {
  box: Scope;
  /** Whether the server shows it open. Afterwards the reader opens and closes it. */
  isOpen: boolean;
  /** Whether the focus goes to it when the page loads, after an action. */
  isNext: boolean;
  isSelected: boolean;
}

/** A message: its header, what opens it, and its sheet. The styles give both their places. */
export const MessageRow = memo(function MessageRow(props: Props) {
  const { box, isOpen, isNext, isSelected, ...sheet } = props;
  const { message, isGone, canSort } = sheet;
  const { id, name, email, created_at: createdAt, date, note } = message;
  const state = stateOf(message, box);
  const marks = message.found?.marks;
  return (
    <article
      id={`message-${id}`}
      aria-labelledby={`name-${id}`}
      className={isWaiting(message) ? "message waits" : "message"}
    >
      {canSort && !isGone && (
        <SelectBox value={id} aria-label={`تحديد رسالة ${name}`} defaultChecked={isSelected} />
      )}
      <header>
        <h2 id={`name-${id}`}>
          <bdi>
            <Marked text={name} marks={marks?.name} />
          </bdi>
        </h2>
        {note && (
          <span className="has-note icon i-note">
            <span className="sr-only">لها ملاحظة</span>
          </span>
        )}
        {state && (
          <span className={message.answered_at ? "state icon i-check" : "state"}>{state}</span>
        )}
        <a
          className="mail"
          dir="ltr"
          href={`mailto:${encodeURIComponent(email).replace("%40", "@")}`}
        >
          <Marked text={email} marks={marks?.email} />
        </a>
        <time dateTime={createdAt}>{date}</time>
      </header>
      <details name="message" open={isOpen}>
        <summary
          aria-label={`فتح رسالة ${name}`}
          className="icon i-open"
          {...(isNext && { autoFocus: true, "aria-describedby": "notice" })}
        />
      </details>
      <MessageSheet {...sheet} />
    </article>
  );
});
