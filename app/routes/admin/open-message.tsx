import { useState } from "react";
import { sendOnce } from "#app/components/button-form.tsx";
import { focusOnLoad } from "#app/components/focus-on-load.ts";
import { Icon } from "#app/components/icons.tsx";
import type { SessionEnd } from "#app/hooks/held-page.ts";
import type { OfflineResult } from "#app/hooks/keep-form.ts";
import type { SortAction } from "#app/models/boxes.ts";
import type { BoardMessage, ReplyTemplate } from "#app/models/inbox.ts";
import type { BoardAnswer } from "./board-view.server.ts";
import { dueClass, panelClass, quietClass, titleClass } from "./class-names.ts";
import type { BoardResult } from "./done.ts";
import { icons } from "./icons.ts";
import { marked } from "./marked.tsx";
import { actionIcons, actionLabels, actionsOf } from "./message-texts.ts";
import { NoteForm } from "./note-form.tsx";
import { CloseLink } from "./open-link.tsx";
import { ReadyReplies, ReplyLinks } from "./replies.tsx";
import { Star } from "./star.tsx";
import { nextAfter, type Open } from "./use-open.ts";
import { useSend } from "./use-send.ts";

export interface MessageProps {
  open: Open;
  message: BoardMessage;
  /** The messages of the list. */
  messages: readonly BoardMessage[];
  /** Whether the reader may answer and sort. */
  canSort: boolean;
  replies: readonly ReplyTemplate[];
  ownerName: string;
  answer: BoardAnswer | OfflineResult | undefined;
  result: BoardResult | undefined;
  /** The URL that the forms are posted to. */
  action: string;
  /** Whose board it is, and why it cannot be read again. */
  account: string;
  end: SessionEnd | undefined;
}

const signsClass = `${panelClass} mb-4`;

/** The open message and all actions on it. */
export function OpenMessage(props: MessageProps) {
  const { open, message, messages, canSort, replies, ownerName, answer, result, action } = props;
  const { account, end } = props;
  const { isGone } = open;
  const { id, message: text, reasons, found } = message;
  const [isReplied, setIsReplied] = useState(false);
  const canReply = !isGone && !reasons && !message.deleted_at;
  const reply = { message, ownerName, onReply: () => setIsReplied(true) };
  const refused = answer?.values?.["id"] === id ? answer : undefined;
  const saved = result?.noted === id ? result.done : undefined;
  return (
    <>
      <Head open={open} message={message} takesFocus={!answer} />
      {!isGone && (canReply || canSort) && (
        <div role="group" aria-label="إجراءات الرسالة" className={actionsClass}>
          {canReply && (
            <div className={`${rowClass} gap-2 max-[18rem]:[&_svg]:hidden sm:me-2`}>
              <ReplyLinks {...reply} />
            </div>
          )}
          {canSort && <ActionForm {...{ message, messages, action, isReplied }} />}
        </div>
      )}
      <p
        dir={message.dir}
        className={`${textClass} ${message.dir === "rtl" ? "text-right" : "text-left"}`}
      >
        {marked(text, found?.marks.message)}
      </p>
      {reasons && (
        <p className={signsClass}>
          <b className="block">لماذا هنا؟</b>
          {reasons}.
        </p>
      )}
      <div role="status">
        {isGone && (
          <p className={signsClass}>حُذفت هذه الرسالة نهائيًا، فلا تُحفظ ملاحظتها. انسخ منها ما تريد.</p>
        )}
      </div>
      {/* A reader who was the owner when the page was opened keeps the note that is refused. */}
      {(canSort || refused) && (
        <NoteForm {...{ message, action, saved, account, end }} answer={refused} />
      )}
      {canReply && replies.length > 0 && <ReadyReplies {...reply} replies={replies} />}
    </>
  );
}

interface ActionProps extends Pick<MessageProps, "message" | "messages" | "action"> {
  /** Whether a reply was opened. */
  isReplied: boolean;
}

/** The form of the actions. What opens afterwards is the next message, and after an answer the next that waits. */
function ActionForm({ message, messages, action, isReplied }: ActionProps) {
  const send = useSend();
  const next = (one: SortAction) => nextAfter(one, message, messages) ?? "";
  return (
    <form
      method="post"
      action={action}
      onSubmit={(event) => sendOnce(event, send)}
      className={`${rowClass} gap-1`}
    >
      <input type="hidden" name="one" value={message.id} />
      <input type="hidden" name="next" value={next("archive")} />
      <input type="hidden" name="nextWaiting" value={next("answer")} />
      {actionsOf(message).map((one) => (
        <button
          key={one}
          type="submit"
          name="action"
          value={one}
          data-offered={one === "answer" && isReplied ? "" : undefined}
          className={sortClass}
        >
          <Icon path={icons[actionIcons[one]]} className="size-5 lg:max-xl:hidden" />
          {actionLabels[one]}
        </button>
      ))}
    </form>
  );
}

// The actions are at the top of the pane, and on a phone under the thumb. They are not fixed in a low window,
// where they would cover most of the message.
const actionsClass =
  "flex flex-wrap items-center gap-1 border-line bg-surface max-lg:fixed max-lg:inset-x-0 max-lg:bottom-0 max-lg:z-3 max-lg:mx-auto max-lg:max-w-176 max-lg:border-t max-lg:px-3 max-lg:pt-2 max-lg:pb-[max(0.5rem,env(safe-area-inset-bottom))] max-sm:grid lg:border-b lg:py-3 lg:[@media(height>=32rem)]:sticky lg:top-0 lg:z-1 max-lg:[@media(height<32rem)]:static! max-lg:[@media(height<32rem)]:px-0 print:hidden";

// On a phone with enlarged text the words need the whole button.
const rowClass =
  "flex max-sm:grid max-sm:auto-cols-fr max-sm:grid-flow-col max-[18rem]:**:px-0! max-[18rem]:**:whitespace-normal";

const sortClass = `${quietClass} max-sm:min-h-12 max-sm:flex-col max-sm:gap-0 max-sm:px-0! max-sm:text-sm/5`;

// A message is on one side; each line has its own direction.
const textClass = "py-4 text-lg wrap-anywhere whitespace-pre-wrap lines lg:text-xl";

/** Who wrote when, and until when an answer is promised. */
function Head({
  open,
  message,
  takesFocus,
}: Pick<MessageProps, "open" | "message"> & { takesFocus: boolean }) {
  const { name, email, number, phone, created_at: createdAt, date, extras, due, found } = message;
  return (
    <header className="grid gap-1 lg:pt-5">
      <div className="flex items-start justify-between gap-4">
        <h2 id="open" tabIndex={-1} {...(takesFocus && focusOnLoad)} className={titleClass}>
          <bdi>{name}</bdi>
        </h2>
        <CloseLink open={open} className={`${quietClass} flex-none max-lg:hidden! print:hidden`}>
          <Icon path={icons.close} />
          <span className="sr-only">إغلاق</span>
        </CloseLink>
      </div>
      <p className="flex flex-wrap gap-x-4 text-md text-muted">
        <a
          dir="ltr"
          href={`mailto:${encodeURIComponent(email).replace("%40", "@")}`}
          className={contactClass}
        >
          {marked(email, found?.marks.email)}
        </a>
        {number && (
          <a dir="ltr" href={`tel:+${phone}`} className={contactClass}>
            {found?.marks.phone ? <mark>{number}</mark> : <span>{number}</span>}
          </a>
        )}
        <time dateTime={createdAt}>{date}</time>
        {extras?.map(({ label, text }) => (
          <span key={label} className="wrap-anywhere">
            {label}: <bdi>{text}</bdi>
          </span>
        ))}
      </p>
      {due && (
        <p className={`mt-1 flex items-center gap-2 text-md ${dueClass(due)}`}>
          <Star due={due} />
          {due.lit === 0 ? due.text : `الرد ${due.text}`}
        </p>
      )}
    </header>
  );
}

const contactClass = "text-right text-brand wrap-anywhere underline-offset-4 hover:underline";
